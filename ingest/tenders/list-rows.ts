import { type AwardNumbers, awardNumbers } from '../../sql/tenders/award-number.ts';
import { mendedRows } from './broken-rows.ts';
import type { TenderFindings } from './findings.ts';
import { isHeading, type ListHeader } from './list-header.ts';
import { parseLocation } from './location.ts';
import type { Location } from './round.ts';
import type { Sheet } from './sheet.ts';
import { kilowattsOf, numberOf, roundHalfUp, textOf } from './values.ts';

/** An award of a list before its round is known. */
export interface ListRow {
  /** The cell as it is. */
  readonly rawNumber: string;
  readonly numbers: AwardNumbers;
  readonly gebotsmengeKw: number | null;
  readonly location: Location;
}

/** The rows of a list below its headings, without footnotes, repeated headings and totals. */
export function readListRows({ rows, separator }: Sheet, header: ListHeader, findings: TenderFindings): ListRow[] {
  const read: (Omit<ListRow, 'location'> & { cell: string; registerNumbers: string })[] = [];
  const below = rows.slice(header.firstRow);
  for (const row of separator === undefined ? below : mendedRows(below, separator, header, findings)) {
    const at = (column: Parameters<typeof header.columns.get>[0]): string => {
      const place = header.columns.get(column);
      return place === undefined ? '' : textOf(row[place]);
    };
    const rawNumber = at('zuschlagsnummer');
    const cell = locationCell(at);
    const registerNumbers = at('mastrNummern');
    const filled = row.filter((one) => textOf(one) !== '').length;
    if (filled === 0 || isHeading(row)) continue;
    const last = read.at(-1);
    if (rawNumber === '' && `${cell}${registerNumbers}` !== '' && at('bieter') === '' && last !== undefined) {
      // Cells that are merged over several rows have their content in the first: this is more of the location above.
      if (cell !== '') last.cell += `\n${cell}`;
      last.registerNumbers += `\n${registerNumbers}`;
      continue;
    }
    const numbers = awardNumbers(rawNumber);
    if (cell === '' && numbers.numbers.length === 0) {
      // A footnote or a total. A row of a bidder without number and place is one that lacks both.
      if (filled > 2) findings.add('zuschlag_unvollstaendig', 'Zuschlagsnummer', 'ohne Nummer und Standort', '');
      continue;
    }
    const volume = header.columns.get('gebotsmenge');
    read.push({
      rawNumber,
      numbers,
      cell,
      registerNumbers,
      gebotsmengeKw: volume === undefined ? null : volumeOf(row[volume], header, numbers, findings),
    });
  }
  return read.map(({ cell, registerNumbers, ...row }) => ({ ...row, location: parseLocation(cell, registerNumbers) }));
}

/** The cell of the location, or one made of columns that have its parts. */
function locationCell(at: (column: Parameters<ListHeader['columns']['get']>[0]) => string): string {
  const part = (word: string, text: string): string[] => (text === '' ? [] : [`${word}${text}`]);
  const place = at('standort');
  const parts = [
    ...part('', at('bundesland')),
    ...part('Landkreis ', at('landkreis').replace(/^(?:Landkreis|Kreisfreie Stadt|Kreis)\s+/i, '')),
    ...part('PLZ ', at('plz').padStart(at('plz') === '' ? 0 : 5, '0')),
    ...part('Gemeinde ', at('gemeinde')),
    ...part('Gemarkung ', at('gemarkung')),
  ];
  const parcels = [...part('Flur ', at('flur').replace(/^Flur\s*/i, '')), ...part('', at('flurstueck'))].join(': ');
  return place !== '' ? [place, ...parts].join(', ') : [parts.join(', '), parcels].filter(Boolean).join(': ');
}

function volumeOf(
  cell: Parameters<typeof numberOf>[0],
  { volumeLabel }: ListHeader,
  { numbers }: AwardNumbers,
  findings: TenderFindings,
): number | null {
  if (textOf(cell) === '') return null;
  const factor = kilowattsOf(textOf(cell)) ?? kilowattsOf(volumeLabel);
  const value = numberOf(typeof cell === 'string' ? cell.replace(/\s*[kMG]W\s*$/i, '') : cell);
  if (value === null || factor === null || value < 0) {
    findings.add(
      'ausschreibung_wert_unlesbar',
      'Gebotsmenge',
      factor === null ? 'ohne Einheit' : 'keine Zahl',
      numbers[0]?.text ?? '',
    );
    return null;
  }
  return roundHalfUp(value * factor, 3);
}
