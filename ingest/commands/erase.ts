import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type ExitName, usageError } from '../../runtime/command-line/exit.ts';
import { argument, option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { counted } from '../../runtime/counted.ts';
import { isMastrNumber } from '../../sql/register/mastr-number.ts';
import { type Erasure, READ_WITHIN_MS } from '../../sql/warehouse/erasures.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { command, print, workOf } from './command.ts';

export const eraseCommand = command({
  name: 'erase',
  summary: 'have the past of an operator or a unit forgotten, or list what was',
  description:
    'Takes the number of an operator (ABR…) or of a unit (SEE…). Of its former rows nothing is shown any more that can tell of a person, ' +
    'as soon as the command has ended; figures stay, and so does what the register says today. The next build takes it out of the ' +
    'version, `rebuild` at once. The list says who asked for what and when, and how many rows it was.',
  examples: ['', 'ABR900000000001 --by "request of 3 November"'],
  parameters: {
    number: argument('MaStR number of the operator or the unit', z.string().optional()),
    by: option('<text>', 'who asked for it, or where it is filed; default: the user', z.string().min(1).optional()),
  },
  run: ({ number, by = userInfo().username }, { settings, json }) =>
    withPublicationTarget(settings, async (target): Promise<ExitName> => {
      const known = await target.erasures();
      if (number === undefined) {
        const rows = await rowsIn(target);
        const all = known.map((one) => ({ ...one, zeilen: rows.get(one.nummer) ?? null }));
        const lines = all.map(({ nummer, am, von, zeilen }) => `${nummer}  ${am}  ${von}  ${stateOf(zeilen)}`);
        print(json, all, lines.length === 0 ? 'Nothing was erased' : lines.join('\n'));
        return 'done';
      }
      if (!isMastrNumber(number)) throw usageError(`${number} is no MaStR number such as ABR900000000001`);
      const before = known.find(({ nummer }) => nummer === number);
      if (before !== undefined) {
        print(json, before, `${number} is on the list already, since ${before.am}`);
        return 'done';
      }
      const erasure: Erasure = { nummer: number, am: new Date().toISOString(), von: by };
      await abortOnSignal(
        (signal) => target.erase(erasure, workOf(settings, json, signal)),
        'the same command goes on from there.',
      );
      await pause(READ_WITHIN_MS);
      print(json, erasure, `The past of ${number} is not shown any more. The next build takes it out of the version`);
      return 'done';
    }),
});

const stateOf = (rows: number | null): string =>
  rows === null ? 'hidden; the next build takes it out' : `taken out of ${counted(rows, 'former row')}`;

/** Former rows that have lost what is personal, by number: of those that the served version has applied. */
async function rowsIn(target: PublicationTarget): Promise<ReadonlyMap<string, number>> {
  const served = (await target.publications()).at(-1);
  if (served === undefined) return new Map();
  const read = async (signal: AbortSignal) => {
    const engine = await target.tables(served.version, { loeschungen: {} }, signal);
    if (engine === null) return [];
    try {
      const tables = await engine.rows("SELECT 1 FROM duckdb_tables() WHERE table_name = 'loeschungen'");
      return tables.length === 0 ? [] : await engine.rows<{ nummer: string; zeilen: number }>('FROM loeschungen');
    } finally {
      await engine.close();
    }
  };
  const rows = await abortOnSignal(read, 'nothing was changed.');
  return new Map(rows.map(({ nummer, zeilen }) => [nummer, zeilen]));
}
