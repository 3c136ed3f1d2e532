import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type ExitName, refused, usageError } from '../../runtime/command-line/exit.ts';
import { argument, option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { counted } from '../../runtime/counted.ts';
import { isErased } from '../../sql/query/erased.ts';
import { isMastrNumber } from '../../sql/register/mastr-number.ts';
import { type Erasure, READ_WITHIN_MS } from '../../sql/warehouse/erasures.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { PublicationTarget } from '../destination/target.ts';
import type { WantedTables } from '../destination/version-tables.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
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
        const waiting = known.flatMap(({ nummer }) => (rows.has(nummer) ? [] : [nummer]));
        const hidden = new Map((await rowsKnown(waiting, target)).map(({ nummer, former }) => [nummer, former]));
        const all = known.map((one) => ({
          ...one,
          zeilen: rows.get(one.nummer) ?? null,
          verborgen: hidden.get(one.nummer) ?? null,
        }));
        const lines = all.map(
          ({ nummer, am, von, zeilen, verborgen }) => `${nummer}  ${am}  ${von}  ${stateOf(zeilen, verborgen ?? 0)}`,
        );
        print(json, all, lines.length === 0 ? 'Nothing was erased' : lines.join('\n'));
        return 'done';
      }
      if (!isMastrNumber(number)) throw usageError(`${number} is no MaStR number such as ABR900000000001`);
      const before = known.find(({ nummer }) => nummer === number);
      if (before !== undefined) {
        print(json, before, `${number} is on the list already, since ${before.am}`);
        return 'done';
      }
      const [rows] = await rowsKnown([number], target);
      if (rows === undefined || rows.former + rows.present === 0)
        throw refused(`No row of ${number} is known, neither a present nor a former one: there is nothing to forget`);
      const erasure: Erasure = { nummer: number, am: new Date().toISOString(), von: by };
      await abortOnSignal(
        (signal) => target.erase(erasure, workOf(settings, json, signal)),
        'the same command goes on from there.',
      );
      await pause(READ_WITHIN_MS);
      print(
        json,
        erasure,
        `The past of ${number} is not shown any more, in ${counted(rows.former, 'former row')}. The next build takes it out of the version`,
      );
      return 'done';
    }),
});

const stateOf = (rows: number | null, hidden: number): string =>
  rows === null
    ? `hidden in ${counted(hidden, 'former row')}; the next build takes it out`
    : `taken out of ${counted(rows, 'former row')}`;

/** Former rows that have lost what is personal, by number: of those that the served version has applied. */
async function rowsIn(target: PublicationTarget): Promise<ReadonlyMap<string, number>> {
  const rows = await inServed(target, { loeschungen: {} }, (engine, tables) =>
    tables.has('loeschungen') ? engine.rows<{ nummer: string; zeilen: number }>('FROM loeschungen') : [],
  );
  return new Map(rows?.map(({ nummer, zeilen }) => [nummer, zeilen]));
}

/** The numbers of rows that a version has of a number. */
interface KnownRows {
  readonly nummer: string;
  /** Former rows of the unit or of units of the operator, and former names of the operator. */
  readonly former: number;
  readonly present: number;
}

const FORMER = ['units_ersetzt', 'units_departed', 'akteurnamen'] as const;
const PRESENT = ['units', 'marktakteure'] as const;

/** Counts what the served version knows of numbers. */
async function rowsKnown(numbers: readonly string[], target: PublicationTarget): Promise<readonly KnownRows[]> {
  if (numbers.length === 0) return [];
  const columnsIn = (table: string): readonly string[] =>
    table.startsWith('units') ? ['nummer', 'betreiberMastrNummer'] : ['mastrNummer'];
  const where = (table: string, of: readonly string[]): string =>
    table.startsWith('units') ? isErased(of, '') : `mastrNummer IN (${of.map(literal).join(', ')})`;
  const wanted = Object.fromEntries(
    [...FORMER, ...PRESENT].map((table) => [table, { columns: columnsIn(table), where: where(table, numbers) }]),
  );
  const found = await inServed(target, wanted, async (engine, tables) => {
    const count = async (names: readonly string[], number: string): Promise<number> => {
      const present = names.filter((name) => tables.has(name));
      const counts = present.map((name) => `(SELECT count(*) FROM ${name} WHERE ${where(name, [number])})`);
      const row = firstRow(await engine.rows<{ n: bigint }>(`SELECT ${['0', ...counts].join(' + ')} AS n`));
      return Number(row.n);
    };
    const rows: KnownRows[] = [];
    for (const nummer of numbers)
      rows.push({ nummer, former: await count(FORMER, nummer), present: await count(PRESENT, nummer) });
    return rows;
  });
  return found ?? [];
}

/** Reads tables of the served version, of which an earlier release may lack some; null where nothing is served. */
async function inServed<T>(
  target: PublicationTarget,
  wanted: WantedTables,
  read: (engine: WarehouseConnection, tables: ReadonlySet<string>) => Promise<T> | T,
): Promise<T | null> {
  const served = (await target.publications()).at(-1);
  if (served === undefined) return null;
  return abortOnSignal(async (signal) => {
    const engine = await target.tables(served.version, wanted, signal);
    if (engine === null) return null;
    try {
      const tables = await engine.rows<{ name: string }>('SELECT table_name AS name FROM duckdb_tables()');
      return await read(engine, new Set(tables.map(({ name }) => name)));
    } finally {
      await engine.close();
    }
  }, 'nothing was changed.');
}
