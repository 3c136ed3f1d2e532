import { readFileSync } from 'node:fs';
import { itemAt } from '../../runtime/present.ts';
import { type CalendarRound, roundsAhead, type YearlyDate } from '../../sql/tenders/calendar.ts';
import {
  isProcedure,
  isTechnology,
  type Procedure,
  roundName,
  type Technology,
  type TenderKey,
  tenderId,
} from '../../sql/tenders/technologies.ts';
import { splitCsv } from '../tables/csv.ts';
import type { TenderRound } from './round.ts';

/** The tenders that the product knows before anything is loaded: data/reference/tender-*.csv, described there. */

type Row = (column: string) => string;

function rowsOf(name: string): Row[] {
  const text = readFileSync(new URL(`../../data/reference/${name}`, import.meta.url), 'utf8');
  const [header, ...records] = splitCsv(text);
  const columns = new Map(header?.cells.map((column, place) => [column, place]));
  return records.map(({ cells }) => (column) => {
    const place = columns.get(column);
    if (place === undefined) throw new Error(`${name} has no column ${column}`);
    return itemAt(cells, place);
  });
}

function technologyOf(row: Row): { technologie: Technology; verfahren: Procedure } {
  const technologie = row('technologie');
  const verfahren = row('verfahren');
  if (!isTechnology(technologie)) throw new Error(`There is no technology ${technologie}`);
  if (verfahren !== '' && !isProcedure(verfahren)) throw new Error(`There is no procedure ${verfahren}`);
  return { technologie, verfahren: verfahren === '' ? null : (verfahren as Procedure) };
}

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));
const textOrNull = (text: string): string | null => (text === '' ? null : text);

/** The rounds of the product with their figures. */
export function referenceRounds(): TenderRound[] {
  return rowsOf('tender-rounds.csv').map((row) => {
    const key = { ...technologyOf(row), datum: row('datum') };
    return {
      id: tenderId(key),
      ...key,
      status: 'IMPORTED',
      bezeichnung: roundName(key),
      zuschlaege: numberOrNull(row('zuschlaege')),
      volumenAusgeschriebenKw: numberOrNull(row('volumenAusgeschriebenKw')),
      volumenBeworbenKw: numberOrNull(row('volumenBeworbenKw')),
      volumenBezuschlagtKw: numberOrNull(row('volumenBezuschlagtKw')),
      gebotNiedrigstesCtKwh: numberOrNull(row('gebotNiedrigstesCtKwh')),
      gebotHoechstesCtKwh: numberOrNull(row('gebotHoechstesCtKwh')),
      zuschlagswertDurchschnittCtKwh: numberOrNull(row('zuschlagswertDurchschnittCtKwh')),
      hoechstwertCtKwh: numberOrNull(row('hoechstwertCtKwh')),
      einheitspreis: row('einheitspreis') === 'ja',
      festePraemie: row('festePraemie') === 'ja',
      bekanntgabe: textOrNull(row('bekanntgabe')),
      quelle: row('quelle'),
      liste: false,
    };
  });
}

/**
 * The largest bid, in kW, that the law allows at a bid date; null where it sets none or where the table has none. It only
 * restricts the comparison of parcels.
 */
export const largestBidKw = (): ((key: TenderKey) => number | null) => {
  const limits = rowsOf('tender-largest-bids.csv');
  return ({ technologie, datum }) => {
    const limit = limits.find(
      (row) => row('technologie') === technologie && row('ab') <= datum && (row('bis') === '' || datum <= row('bis')),
    );
    return limit === undefined ? null : Number(limit('kw'));
  };
};

/** The rounds whose dates are known, and those that the law sets after them, up to the end of a year. */
export function referenceCalendar(untilYear: number): CalendarRound[] {
  const known = rowsOf('tender-calendar.csv').map(
    (row): CalendarRound => ({
      serie: row('serie'),
      jahr: Number(row('jahr')),
      ordnungszahl: Number(row('ordnungszahl')),
      datum: textOrNull(row('datum')),
      ...technologyOf(row),
      beleg: row('beleg'),
    }),
  );
  const dates = rowsOf('tender-dates.csv').map(
    (row): YearlyDate => ({
      serie: row('serie'),
      tag: row('tag'),
      abJahr: Number(row('abJahr')),
      bisJahr: numberOrNull(row('bisJahr')),
      ...technologyOf(row),
    }),
  );
  return [...known, ...roundsAhead(dates, untilYear)].filter(({ jahr }) => jahr <= untilYear);
}
