import { awardNumbers } from '../../sql/tenders/award-number.ts';
import type { TenderFindings } from './findings.ts';
import type { ListHeader } from './list-header.ts';
import { type Cell, textOf } from './values.ts';

/**
 * Mends the rows of a copy whose cells lack their quotes: a separator inside of a cell makes a row too long, and a line
 * break ends it early. Locations have both, so parcels would be lost. The award number shows whether a row came out right.
 */

type Row = readonly Cell[];

/** The columns whose texts have separators and line breaks, the likeliest first. */
const TEXTS = ['standort', 'flurstueck', 'mastrNummern', 'gemarkung', 'bieter'] as const;

/** The rest of a location: one of its keywords, or parcels and nothing else. */
const REST_OF_LOCATION =
  /\b(?:Gemarkung|Gemeinde|Flur|Flurst[üu]cke?|PLZ|Landkreis)\b|\b(?:SEE|EEG)\s?\d{12}\b|^[\d\s/,;.()]*\d[\d\s/,;.()]*$/iu;

/** @param rows those below the headings, split at the separator */
export function mendedRows(
  rows: readonly Row[],
  separator: string,
  { columns, width }: ListHeader,
  findings: TenderFindings,
): Row[] {
  const numberAt = columns.get('zuschlagsnummer') ?? -1;
  const texts = TEXTS.flatMap((column) => columns.get(column) ?? []);
  const isAward = (row: Row): boolean => awardNumbers(textOf(row[numberAt])).numbers.length > 0;
  const namesAward = (row: Row): boolean => row.some((cell) => awardNumbers(textOf(cell)).numbers.length > 0);
  /** The row with its surplus cells joined to the text that they were cut from. */
  const fitted = (row: Row): Row => {
    const surplus = row.length - width;
    if (surplus <= 0) return row;
    const joined = texts
      .map((at) => [
        ...row.slice(0, at),
        row
          .slice(at, at + surplus + 1)
          .map(textOf)
          .join(separator),
        ...row.slice(at + surplus + 1),
      ])
      .filter(isAward);
    return joined[0] ?? row;
  };
  const goesOn = (last: Row, row: Row): boolean => {
    if (textOf(row[0]) === '' || isAward(row)) return false;
    if (isAward(last)) return !namesAward(row) && row.length < width && REST_OF_LOCATION.test(textOf(row[0]));
    // The line break stands before the number.
    return last.length < width && namesAward(row) && isAward(fitted(glued(last, row)));
  };
  const whole: Row[] = [];
  let broken = 0;
  for (const row of rows.map(withoutEmptyEnd(width))) {
    const last = whole.at(-1);
    if (last !== undefined && goesOn(last, row)) {
      whole[whole.length - 1] = glued(last, row);
      broken += 1;
    } else whole.push(row);
  }
  const mended = whole.map((row) => {
    const one = fitted(row);
    if (one !== row) broken += 1;
    else if (row.length > width)
      findings.add('zuschlag_unvollstaendig', 'Standort', 'mehr Zellen als Überschriften', '');
    return one;
  });
  if (broken > 0) {
    findings.add(
      'ausschreibung_zeile_geteilt',
      'Standort',
      'Trennzeichen oder Zeilenumbruch ohne Anführungszeichen',
      '',
      broken,
    );
  }
  return mended;
}

const glued = (last: Row, row: Row): Row => [
  ...last.slice(0, -1),
  `${textOf(last.at(-1))}\n${textOf(row[0])}`,
  ...row.slice(1),
];

/** Programs write separators up to the widest row of a sheet; those beyond the headings are no cells. */
const withoutEmptyEnd =
  (width: number) =>
  (row: Row): Row => {
    let end = row.length;
    while (end > width && textOf(row[end - 1]) === '') end -= 1;
    return row.slice(0, end);
  };
