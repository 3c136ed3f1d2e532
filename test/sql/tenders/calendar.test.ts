import { describe, expect, it } from 'vitest';
import { referenceCalendar, referenceRounds } from '../../../ingest/tenders/reference.ts';
import { calendarOf, keyOf, roundsAhead, tenderOfCode, type YearlyDate } from '../../../sql/tenders/calendar.ts';
import { tenderId } from '../../../sql/tenders/technologies.ts';

/** The calendar says when a round of a series had, or will have, its bid date. */

const yearly = (serie: string, tag: string, abJahr: number, bisJahr: number | null): YearlyDate => ({
  ...{ serie, tag, abJahr, bisJahr, technologie: 'WIND', verfahren: null },
});

const datesOf = (dates: readonly YearlyDate[], untilYear: number) =>
  roundsAhead(dates, untilYear).map(({ serie, jahr, ordnungszahl, datum }) => [serie, jahr, ordnungszahl, datum]);

describe('rounds that the law sets', () => {
  it('are numbered by their day within the year, whatever the order of the list', () => {
    const dates = [yearly('WIN', '11-01', 2027, null), yearly('WIN', '02-01', 2027, null)];
    expect(datesOf(dates, 2028)).toEqual([
      ['WIN', 2027, 1, '2027-02-01'],
      ['WIN', 2027, 2, '2027-11-01'],
      ['WIN', 2028, 1, '2028-02-01'],
      ['WIN', 2028, 2, '2028-11-01'],
    ]);
  });

  it('are those of the years in which the rule holds, the last included', () => {
    const dates = [yearly('WIN', '02-01', 2028, 2029), yearly('WIN', '05-01', 2027, 2027)];
    expect(datesOf(dates, 2035)).toEqual([
      ['WIN', 2027, 1, '2027-05-01'],
      ['WIN', 2028, 1, '2028-02-01'],
      ['WIN', 2029, 1, '2029-02-01'],
    ]);
    expect(datesOf(dates, 2026)).toEqual([]);
  });

  it('of each series are counted by themselves', () => {
    const dates = [yearly('WIN', '05-01', 2027, null), yearly('SOL', '03-01', 2027, null)];
    expect(datesOf(dates, 2027)).toEqual([
      ['WIN', 2027, 1, '2027-05-01'],
      ['SOL', 2027, 1, '2027-03-01'],
    ]);
  });
});

describe('the calendar', () => {
  const rounds = referenceCalendar(2028);
  const calendar = calendarOf(rounds);

  it.each([
    ['WIN17-1', '2017-05-01'],
    ['win17-1', '2017-05-01'],
    ['iKWK25-1', '2025-06-01'],
    ['IKWK25-1', '2025-06-01'],
    ['GEM19-2', '2019-04-01'],
    ['BME22-1', '2022-10-01'],
    ['SDA28-3', '2028-10-01'],
  ])('has %s on %s', (code, datum) => {
    const round = calendar.rounds.find(
      (one) => one.datum === datum && tenderId(keyOf(one)!) === tenderOfCode(code, calendar),
    );
    expect(round).toMatchObject({ datum });
  });

  it.each(['WIN17-9', 'XYZ20-1', 'WIN17'])('has no round %s', (code) => {
    expect(tenderOfCode(code, calendar)).toBeNull();
  });

  it('has the date of every round whose figures are published; awards at sea have no such numbers', () => {
    const ids = new Set(rounds.flatMap((round) => (keyOf(round) === null ? [] : [tenderId(keyOf(round)!)])));
    const without = referenceRounds().filter(({ id, technologie }) => technologie !== 'WIND_SEE' && !ids.has(id));
    expect(without.map(({ bezeichnung }) => bezeichnung)).toEqual([]);
  });

  it('has each round once, and dates of a series that rise with its ordinals', () => {
    const codes = rounds.map(({ serie, jahr, ordnungszahl }) => `${serie}${jahr}-${ordnungszahl}`);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    const falling = [...Map.groupBy(rounds, ({ serie, jahr }) => `${serie}${jahr}`)].flatMap(([year, all]) => {
      const dates = all.toSorted((a, b) => a.ordnungszahl - b.ordnungszahl).flatMap(({ datum }) => datum ?? []);
      return dates.every((date, index) => index === 0 || date >= dates[index - 1]!) ? [] : [year];
    });
    expect(falling).toEqual([]);
  });

  it('lays every date into the year of its award numbers, and on a day that there is', () => {
    for (const { serie, jahr, datum } of rounds) {
      if (datum === null) continue;
      expect([serie, datum.slice(0, 4), new Date(`${datum}T00:00Z`).toISOString().slice(0, 10)]).toEqual([
        serie,
        String(jahr),
        datum,
      ]);
    }
  });
});
