import { existsSync, readFileSync } from 'node:fs';
import { Argument } from 'commander';
import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { versionFile } from '../../sql/warehouse/versions.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { alone } from '../run/alone.ts';
import { BuildRefused } from '../run/refused.ts';
import { matchNep } from '../tables/match-nep.ts';
import { clearNep, loadedTables, loadNep } from '../tables/nep.ts';
import { readNep } from '../tables/read-nep.ts';
import { asJson, type IngestCommand, print } from './command.ts';

interface TableFlags {
  readonly clear: boolean;
  readonly json: boolean;
}

export const tableCommand: IngestCommand = {
  name: 'table',
  description: 'tables of the operator: list them, load one, take one away; the next build applies them',
  words: (command) =>
    asJson(
      command
        .addArgument(new Argument('[name]', 'nep: the list of the grid development plan').choices(['nep']))
        .argument('[file]', 'CSV with a header: mastrNummer, kraftwerksnummer or both')
        .option('--clear', 'take the table away', false),
    ),
  async run(settings: Settings, { clear, json }: TableFlags, name?: string, file?: string) {
    const warehouse = warehouseFolder(settings);
    if (clear && (name === undefined || file !== undefined)) {
      throw new BuildRefused('--clear takes the name of the table and no file: table nep --clear');
    }
    if (clear) await takeAway(warehouse, json);
    else if (file !== undefined) await load(settings, file, json);
    else list(warehouse, json);
    return undefined;
  },
};

function list(warehouse: string, json: boolean): void {
  const tables = loadedTables(warehouse);
  const lines = tables.map(
    ({ name, rows, loadedAt, digest }) => `${name}  ${rows} rows  loaded ${loadedAt}  ${digest}`,
  );
  print(json, tables, tables.length === 0 ? 'No table is loaded' : lines.join('\n'));
}

async function load(settings: Settings, file: string, json: boolean): Promise<void> {
  const warehouse = warehouseFolder(settings);
  const rows = readNep(textOf(file));
  await alone(warehouse, `loading ${file}`, () => loadNep(warehouse, rows));
  const served = (await withPublicationTarget(settings, (published) => published.publications())).at(-1);
  if (served === undefined) {
    print(json, { table: 'nep', rows: rows.length }, `Loaded ${rows.length} rows; the first build applies them`);
    return;
  }
  if (!existsSync(versionFile(warehouse, served.version))) {
    print(
      json,
      { table: 'nep', rows: rows.length },
      `Loaded ${rows.length} rows; the next build applies them. ${warehouse} does not have ${served.version}, so they were not compared`,
    );
    return;
  }
  const { matched, unmatched } = await matchNep(warehouse, served.version, rows);
  print(
    json,
    { table: 'nep', rows: rows.length, version: served.version, matched, unmatched: unmatched.length },
    `Loaded ${rows.length} rows; the next build applies them\n` +
      `In ${served.version} ${matched} of them name a unit, ${unmatched.length} do not` +
      (unmatched.length === 0 ? '' : `: ${unmatched.slice(0, 5).join(', ')}${unmatched.length > 5 ? ' …' : ''}`),
  );
}

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw new BuildRefused(`${file} is not written in UTF-8`);
    throw new BuildRefused(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

async function takeAway(warehouse: string, json: boolean): Promise<void> {
  const cleared = await alone(warehouse, 'taking a table away', () => clearNep(warehouse));
  const text = cleared ? 'The table nep is gone; the next build does without' : 'The table nep was not loaded';
  print(json, { table: 'nep', cleared }, text);
}
