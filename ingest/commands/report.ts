import { z } from 'zod';
import { type ExitName, refused } from '../../runtime/command-line/exit.ts';
import { argument } from '../../runtime/command-line/parameter.ts';
import { printReport } from '../build/print-report.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { command, print, VERSIONS_HINT } from './command.ts';

export const reportCommand = command({
  name: 'report',
  summary: 'show the report of a build',
  parameters: { version: argument('default: the version served', z.string().optional()) },
  run: ({ version }, { settings, json }) =>
    withPublicationTarget(settings, async (target): Promise<ExitName> => {
      const id = version ?? (await target.publications()).at(-1)?.version;
      if (id === undefined) throw refused('Nothing is served yet, so there is no report.');
      const report = await target.report(id);
      if (report === null) throw refused(`There is no version ${id}. ${VERSIONS_HINT}`);
      print(json, report, printReport(report));
      return 'done';
    }),
});
