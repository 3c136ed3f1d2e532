import type { ExitName } from '../../runtime/command-line/exit.ts';
import { option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { today } from '../../runtime/settings.ts';
import { fetchExport } from '../fetch/fetch.ts';
import { fetchPolicyOf } from '../fetch/policy.ts';
import { command, print, progressOf } from './command.ts';
import { webAddress } from './schemas.ts';

export const fetchCommand = command({
  name: 'fetch',
  summary: 'download the newest export, once a day',
  parameters: {
    url: option(
      '<address>',
      'the page whose links name the exports, or a zip; default: EXPORT_PAGE_URL',
      webAddress.optional(),
    ),
  },
  run: ({ url }, { settings, json }) =>
    abortOnSignal(async (signal): Promise<ExitName> => {
      const fetched = await fetchExport({
        url: url ?? settings.EXPORT_PAGE_URL,
        folder: settings.EXPORT_DIR,
        today: today(settings),
        policy: fetchPolicyOf(settings, progressOf(json), signal),
        servedDay: null,
        named: url !== undefined,
      });
      const { path, day } = fetched;
      const downloaded = path !== null && fetched.fresh;
      const text = downloaded
        ? `Downloaded ${path}, export of ${day}. To build it: npm run ingest -- build ${path}`
        : `Nothing to download: ${path}, export of ${day}, is there already`;
      print(json, { event: 'fetched', ...fetched }, text);
      return 'done';
    }, 'what was downloaded so far is kept; the same command goes on from there.'),
});
