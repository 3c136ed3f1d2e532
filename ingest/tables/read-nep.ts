import { UNIT_NUMBER } from '../../sql/register/mastr-number.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { formOf } from '../scan/form.ts';
import { splitCsv } from './csv.ts';
import { describeFaults } from './faults.ts';

/** A row of the list: a unit by its number, or a power plant by its own; the other one is null. */
export interface NepRow {
  readonly mastrNummer: string | null;
  readonly kraftwerksnummer: string | null;
}

export const NEP_COLUMNS = ['mastrNummer', 'kraftwerksnummer'] as const;

const WHOLE_UNIT_NUMBER = new RegExp(`^${UNIT_NUMBER}$`);

/** Letters and digits. Anything else, such as a name or a note in the wrong column, is refused. */
const PLANT_NUMBER = /^(?=.{1,24}$)[A-Z]{1,5}[-_]?[0-9]+[A-Z0-9_-]{0,6}$/i;

/**
 * Reads the operator's list of the grid development plan: CSV with a header, separated by commas or semicolons, with a
 * column `mastrNummer` or `kraftwerksnummer` or both; other columns are passed over. Rows that come twice count once.
 * @throws BuildRefused with the line number of each fault, without quoting the line
 */
export function readNep(text: string): NepRow[] {
  const [header, ...lines] = splitCsv(text);
  const places = placesOf(header?.cells ?? []);
  const faults: string[] = [];
  const rows = new Map<string, NepRow>();
  for (const { line, cells } of lines) {
    const read = (name: (typeof NEP_COLUMNS)[number]): string | null => {
      const place = places.get(name);
      return (place === undefined ? undefined : cells[place]?.trim()) || null;
    };
    const row = { mastrNummer: read('mastrNummer'), kraftwerksnummer: read('kraftwerksnummer') };
    const fault = faultOf(row);
    if (fault === null) rows.set(JSON.stringify(row), row);
    else faults.push(`line ${line}: ${fault}`);
  }
  if (faults.length > 0) throw new BuildRefused(describeFaults(faults));
  if (rows.size === 0) throw new BuildRefused('The list has no rows. To take a loaded one away: table nep --clear');
  return [...rows.values()];
}

function placesOf(header: readonly string[]): Map<string, number> {
  const names = header.map((cell) => cell.trim().toLowerCase());
  const places = new Map(
    NEP_COLUMNS.flatMap((name) => {
      const place = names.indexOf(name.toLowerCase());
      return place < 0 ? [] : [[name, place] as const];
    }),
  );
  if (places.size > 0) return places;
  throw new BuildRefused(
    `line 1: the header names neither mastrNummer nor kraftwerksnummer, but ${header.length === 0 ? 'nothing' : `${header.length} other columns`}`,
  );
}

function faultOf({ mastrNummer, kraftwerksnummer }: NepRow): string | null {
  if (mastrNummer === null && kraftwerksnummer === null) return 'neither mastrNummer nor kraftwerksnummer has a value';
  if (mastrNummer !== null && !WHOLE_UNIT_NUMBER.test(mastrNummer)) {
    return `mastrNummer (${formOf(mastrNummer)}) is no number of a unit: SEE and twelve digits`;
  }
  if (kraftwerksnummer !== null && !PLANT_NUMBER.test(kraftwerksnummer)) {
    return `kraftwerksnummer (${formOf(kraftwerksnummer)}) is no number of a power plant, such as BNA1234`;
  }
  return null;
}
