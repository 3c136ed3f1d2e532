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
  const isAward = (row: Row): boolean => isNumber(row[numberAt]);
  /** The row with its surplus cells joined to the texts that they were cut from, before and behind the award number. */
  const fitted = (row: Row): Row => {
    const surplus = row.length - width;
    const before = row.findIndex(isNumber) - numberAt;
    if (surplus <= 0 || before < 0 || before > surplus) return row;
    const behind = joinedAt(
      row,
      texts.find((at) => at > numberAt),
      before,
      surplus - before,
    );
    return joinedAt(
      behind,
      texts.find((at) => at < numberAt),
      0,
      before,
    );
  };
  /** Joins cells from a column on that was moved to the right; without such a column nothing can be said. */
  const joinedAt = (row: Row, column: number | undefined, moved: number, count: number): Row => {
    if (column === undefined || count === 0) return row;
    const from = column + moved;
    const behind = from + count + 1;
    return [...row.slice(0, from), row.slice(from, behind).map(textOf).join(separator), ...row.slice(behind)];
  };
  const goesOn = (last: Row, row: Row): boolean => {
    if (textOf(row[0]) === '' || isAward(row)) return false;
    if (isAward(last)) return !row.some(isNumber) && row.length < width && REST_OF_LOCATION.test(textOf(row[0]));
    // The line break stands before the number.
    return last.length < width && row.some(isNumber) && isAward(fitted(glued(last, row)));
  };
  const whole: Row[] = [];
  let broken = 0;
  for (const row of rows.map(withoutEmptyEnd(width))) {
    const last = whole.at(-1);
    const isRest = last !== undefined && goesOn(last, row);
    const read = isRest ? glued(last, row) : row;
    const mended = fitted(read);
    if (isRest) whole.pop();
    whole.push(mended);
    if (isRest || mended !== read) broken += 1;
    if (mended.length > width) findings.add('zuschlag_unvollstaendig', 'Standort', 'mehr Zellen als Überschriften', '');
  }
  if (broken > 0) {
    const remark = 'Trennzeichen oder Zeilenumbruch ohne Anführungszeichen';
    findings.add('ausschreibung_zeile_geteilt', 'Standort', remark, '', broken);
  }
  return whole;
}

const isNumber = (cell: Cell | undefined): boolean => awardNumbers(textOf(cell)).numbers.length > 0;

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
