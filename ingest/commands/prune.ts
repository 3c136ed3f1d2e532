import type { ExitName } from '../../runtime/command-line/exit.ts';
import { option } from '../../runtime/command-line/parameter.ts';
import { changeVersions, command, print } from './command.ts';
import { wholeNumberOption } from './schemas.ts';

export const pruneCommand = command({
  name: 'prune',
  summary: 'remove all but the newest versions',
  parameters: { keep: option('<count>', 'how many to keep; default: KEEP_VERSIONS', wholeNumberOption.optional()) },
  run: ({ keep }, { settings, json }) =>
    changeVersions(settings, 'pruning', async (target): Promise<ExitName> => {
      const removed = await target.prune(keep ?? settings.KEEP_VERSIONS);
      print(json, { removed }, removed.length === 0 ? 'Nothing to remove' : `Removed ${removed.join(', ')}`);
      return 'done';
    }),
});
