import type { Settings } from '../../runtime/settings.ts';
import { asJson, exclusively, type IngestCommand, print, wholeNumber } from './command.ts';

export const pruneCommand: IngestCommand = {
  name: 'prune',
  description: 'remove all but the newest versions',
  words: (command) => asJson(command.option('--keep <count>', 'how many to keep', wholeNumber)),
  async run(settings: Settings, { keep, json }: { keep?: number; json: boolean }) {
    await exclusively(settings, 'pruning', async (published) => {
      const removed = await published.prune(keep ?? settings.KEEP_VERSIONS);
      print(json, { removed }, removed.length === 0 ? 'Nothing to remove' : `Removed ${removed.join(', ')}`);
    });
    return undefined;
  },
};
