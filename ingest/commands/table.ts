import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { refused, usageError } from '../../runtime/command-line/exit.ts';
import { argument, choice, flag } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { counted } from '../../runtime/counted.ts';
import { warehouseFolder } from '../../runtime/settings.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { clearTable, loadedTables, loadTable } from '../tables/loaded.ts';
import { matchNep, unitsToMatch } from '../tables/match-nep.ts';
import { NEP_COLUMNS, type NepRow, readNep } from '../tables/read-nep.ts';
import { type CommandContext, command, print } from './command.ts';

const TABLES = ['nep'];

export const tableCommand = command({
  name: 'table',
  summary:
    'list the tables of the operator, load or remove that of the grid development plan; the next build applies them',
  examples: ['', 'nep list.csv', 'nep --clear'],
  parameters: {
    name: choice(argument('nep: the list of the grid development plan', z.string().optional()), TABLES),
    file: argument('CSV with a header: mastrNummer, kraftwerksnummer or both', z.string().optional()),
    clear: flag('remove the table'),
  },
  async run({ name, file, clear = false }, context) {
    if (clear && (name === undefined || file !== undefined)) {
      throw usageError('--clear takes the name of the table and no file: table nep --clear');
    }
    if (clear) await remove(context);
    else if (file !== undefined) await load(file, context);
    else list(context);
    return 'done';
  },
});

function list({ settings, json }: CommandContext): void {
  const tables = loadedTables(warehouseFolder(settings));
  const lines = tables.map(
    ({ name, rows, loadedAt, digest }) => `${name}  ${counted(rows, 'row')}  loaded ${loadedAt}  ${digest}`,
  );
  print(json, tables, tables.length === 0 ? 'No table is loaded' : lines.join('\n'));
}

async function load(file: string, { settings, json }: CommandContext): Promise<void> {
  const warehouse = warehouseFolder(settings);
  const rows = readNep(readUtf8(file));
  await withWarehouseLock(warehouse, `loading ${file}`, () =>
    loadTable(warehouse, 'nep', [NEP_COLUMNS, ...rows.map((row) => NEP_COLUMNS.map((name) => row[name]))]),
  );
  const loaded = { table: 'nep', rows: rows.length };
  const served = await withPublicationTarget(settings, async (target) => {
    const version = (await target.publications()).at(-1)?.version;
    return version === undefined ? null : { version, match: await matchIn(target, version, rows) };
  });
  if (served === null) {
    print(json, loaded, `Loaded ${counted(rows.length, 'row')}; the first build applies them`);
    return;
  }
  const text = `Loaded ${counted(rows.length, 'row')}; the next build applies them`;
  if (served.match === null) {
    print(json, loaded, `${text}. ${served.version} is gone, so they were not compared`);
    return;
  }
  const { matched, unmatched } = served.match;
  const examples = unmatched.slice(0, 5).join(', ') + (unmatched.length > 5 ? ' …' : '');
  print(
    json,
    { ...loaded, version: served.version, matched, unmatched: unmatched.length },
    `${text}\nIn ${served.version} ${matched} of them name a unit, ${unmatched.length} do not` +
      (unmatched.length === 0 ? '' : `: ${examples}`),
  );
}

/** Compares rows with a version; null when it is gone. */
const matchIn = (target: PublicationTarget, version: string, rows: readonly NepRow[]) =>
  abortOnSignal(async (signal) => {
    const engine = await target.tables(version, unitsToMatch(rows), signal);
    if (engine === null) return null;
    try {
      return await matchNep(engine, rows);
    } finally {
      await engine.close();
    }
  }, 'the rows are loaded.');

async function remove({ settings, json }: CommandContext): Promise<void> {
  const warehouse = warehouseFolder(settings);
  const cleared = await withWarehouseLock(warehouse, 'taking a table away', () => clearTable(warehouse, 'nep'));
  const text = cleared ? 'The table nep is gone; the next build does without' : 'The table nep was not loaded';
  print(json, { table: 'nep', cleared }, text);
}

export function readUtf8(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw refused(`${file} is not written in UTF-8`);
    throw refused(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
