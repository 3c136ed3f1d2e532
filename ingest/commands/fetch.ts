import { type Settings, today } from '../../runtime/settings.ts';
import { fetchExport } from '../fetch/fetch.ts';
import { fetchPolicyOf } from '../fetch/policy.ts';
import { asJson, type IngestCommand, print, progressOf, webAddress } from './command.ts';
import { EXIT, stoppable } from './exit.ts';

const RESUMABLE = 'what was downloaded so far is kept; the same command goes on from there.';

export const fetchCommand: IngestCommand = {
  name: 'fetch',
  description: 'download the newest export, once a day',
  words: (command) =>
    asJson(
      command.option(
        '--url <address>',
        'the page whose links name the exports, or a zip; default: EXPORT_PAGE_URL',
        webAddress,
      ),
    ),
  run: (settings: Settings, { url, json }: { url?: string; json: boolean }) =>
    stoppable(async (signal) => {
      const fetched = await fetchExport({
        url: url ?? settings.EXPORT_PAGE_URL,
        folder: settings.EXPORT_DIR,
        today: today(settings),
        policy: fetchPolicyOf(settings, progressOf(json), signal),
        servedDay: null,
      });
      const { path, day } = fetched;
      const fresh = path !== null && fetched.fresh;
      const text = fresh
        ? `Downloaded ${path}, export of ${day}. To build it: npm run ingest -- build ${path}`
        : `Nothing to download: ${path}, export of ${day}, is there already`;
      print(json, { event: 'fetched', ...fetched }, text);
      return EXIT.done;
    }, RESUMABLE),
};
