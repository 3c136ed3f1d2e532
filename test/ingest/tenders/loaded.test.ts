import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadedTenders } from '../../../ingest/tenders/loaded.ts';
import { stateOf } from '../../../ingest/tenders/overview.ts';
import { awardNumbers } from '../../../sql/tenders/award-number.ts';
import { calendarCode, keyOf, tenderOf, tenderOfCode } from '../../../sql/tenders/calendar.ts';
import { tenderId, tenderKey } from '../../../sql/tenders/technologies.ts';
import { ROOT } from '../../docs/folders.ts';

/** The tenders that the product knows before anything is loaded. */

const DAY = '2026-11-22';
const { rounds, awards, findings, calendar } = loadedTenders('/none', DAY);
const lines = readFileSync(join(ROOT, 'data/reference/tender-rounds.csv'), 'utf8').trimEnd().split('\n').length - 1;

const roundOf = (technologie: string, datum: string, verfahren: string | null = null) =>
  rounds.find((round) => round.technologie === technologie && round.datum === datum && round.verfahren === verfahren);

describe('a fresh machine', () => {
  it('has the 141 rounds whose figures are known, and no awards', () => {
    expect(lines).toBe(141);
    expect(rounds.filter(({ status }) => status === 'IMPORTED')).toHaveLength(136);
    expect([awards, findings]).toEqual([[], []]);
  });

  it('has their figures', () => {
    expect(roundOf('WIND', '2017-05-01')).toEqual({
      ...{ id: 2017050110, technologie: 'WIND', verfahren: null, datum: '2017-05-01', status: 'IMPORTED' },
      ...{ bezeichnung: 'Windenergie an Land, Gebotstermin 1.5.2017', zuschlaege: 70 },
      ...{ volumenAusgeschriebenKw: 800_000, volumenBeworbenKw: 2_137_000, volumenBezuschlagtKw: 806_660 },
      ...{
        gebotNiedrigstesCtKwh: 4.2,
        gebotHoechstesCtKwh: 5.78,
        zuschlagswertDurchschnittCtKwh: 5.71,
        hoechstwertCtKwh: 7,
      },
      ...{ einheitspreis: false, festePraemie: false, bekanntgabe: null, liste: false },
      quelle: expect.stringContaining('BNetzA-Statistik Onshore'),
    });
  });

  it('tells the rounds of CHP and of innovative CHP of one date apart', () => {
    expect(roundOf('KWK', '2021-06-01')).toMatchObject({ id: 2021060170, zuschlaege: 13 });
    expect(roundOf('KWK', '2021-06-01', 'iKWK')).toMatchObject({ id: 2021060171, zuschlaege: 7 });
  });

  it('knows the rounds of one price, of a fixed premium, and when those of spring 2020 were announced', () => {
    const uniform = rounds.filter(({ einheitspreis, technologie }) => einheitspreis && technologie !== 'WIND_SEE');
    expect(uniform.map(({ datum }) => datum)).toEqual(['2015-08-01', '2015-12-01']);
    const fixed = rounds.filter(({ festePraemie }) => festePraemie);
    expect(fixed.map(({ datum }) => datum)).toEqual(['2020-09-01', '2021-04-01', '2021-08-01', '2022-04-01']);
    expect(roundOf('WIND', '2020-03-01')).toMatchObject({ bekanntgabe: '2020-09-22' });
  });

  it.each<[technologie: string, datum: string, figures: Partial<(typeof rounds)[number]>]>([
    ['SOLAR_FREIFLAECHE', '2017-06-01', { zuschlagswertDurchschnittCtKwh: 5.66, gebotHoechstesCtKwh: 5.9 }],
    ['SOLAR_FREIFLAECHE', '2021-03-01', { zuschlagswertDurchschnittCtKwh: 5.03 }],
    ['SOLAR_DACH', '2021-06-01', { zuschlaege: 114, volumenBezuschlagtKw: 152_000 }],
    ['SOLAR_DACH', '2024-06-01', { volumenAusgeschriebenKw: 258_562, bekanntgabe: '2024-07-30' }],
    ['SOLAR_DACH', '2024-10-01', { zuschlagswertDurchschnittCtKwh: 9.04, hoechstwertCtKwh: 10.5 }],
    ['WIND', '2024-11-01', { zuschlaege: 348, volumenBeworbenKw: 6_083_000, bekanntgabe: '2024-12-18' }],
    ['BIOMASSE', '2022-09-01', { zuschlagswertDurchschnittCtKwh: 17.28, bekanntgabe: '2022-10-19' }],
    ['BIOMASSE', '2023-10-01', { zuschlagswertDurchschnittCtKwh: 18.28 }],
    ['BIOMASSE', '2024-04-01', { zuschlagswertDurchschnittCtKwh: 17.8 }],
    ['BIOMETHAN', '2021-12-01', { zuschlaege: 21, volumenBezuschlagtKw: 147_980, bekanntgabe: '2022-01-21' }],
    ['INNOVATION', '2024-05-01', { zuschlagswertDurchschnittCtKwh: 8.33, hoechstwertCtKwh: 9.18 }],
    ['KWK', '2022-06-01', { zuschlagswertDurchschnittCtKwh: 5.87, bekanntgabe: '2022-06-28' }],
    ['KWK', '2025-12-01', { zuschlagswertDurchschnittCtKwh: 5.02, volumenBezuschlagtKw: 108_658 }],
  ])('has of %s %s what was published later or elsewhere', (technologie, datum, figures) =>
    expect(roundOf(technologie, datum)).toMatchObject(figures),
  );

  it('has the dates that the law sets up to the end of the next year, and of them nothing else', () => {
    const wind = rounds.filter(({ technologie, datum }) => technologie === 'WIND' && datum > '2026-05-01');
    expect(wind.map(({ datum }) => datum)).toEqual([
      '2026-08-01',
      '2026-11-01',
      '2027-02-01',
      '2027-05-01',
      '2027-08-01',
      '2027-11-01',
    ]);
    for (const { id: _, technologie, verfahren, datum, status, ...rest } of wind) {
      expect(status).toBe('PENDING');
      expect(Object.values(rest).every((value) => value === null || value === false)).toBe(true);
    }
    expect(wind.map((round) => stateOf(round, DAY)).slice(0, 3)).toEqual(['missing', 'missing', 'announced']);
    expect(rounds.at(-1)?.datum).toBe('2027-12-01');
    expect(loadedTenders('/none', '2025-01-01').rounds.at(-1)?.datum).toBe('2026-12-01');
  });

  it('calls a round pending of which only the volume on offer is known', () => {
    expect(roundOf('SOLAR_DACH', '2022-12-01')).toMatchObject({ status: 'PENDING', volumenAusgeschriebenKw: null });
  });

  it('has each id once, sorted, below 2^31, and made of what it stands for', () => {
    const ids = rounds.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(Math.max(...ids)).toBeLessThan(2 ** 31);
    for (const { id, technologie, verfahren, datum } of rounds)
      expect(tenderKey(id)).toEqual({ technologie, verfahren, datum });
  });
});

it.each([12, 2019090100, 2019090113, 20190901101])('%i is no id of a tender', (id) => expect(tenderKey(id)).toBeNull());

/** Series, first and last year, and the days of its rounds by their ordinals; `-` is an ordinal that no round has. */
const BID_DATES: readonly (readonly [series: string, from: number, to: number, days: string])[] = [
  ['FFA', 15, 15, '04-15 08-01 12-01'],
  ['FFA', 16, 16, '04-01 08-01 12-01'],
  ['SOL', 17, 18, '02-01 06-01 10-01'],
  ['SOL', 19, 19, '02-01 03-01 06-01 10-01 12-01'],
  ['SOL', 20, 20, '02-01 03-01 06-01 07-01 09-01 10-01 12-01'],
  ['SOL', 21, 22, '03-01 06-01 11-01'],
  ['SOL', 23, 27, '03-01 07-01 12-01'],
  ['SDA', 21, 21, '06-01 12-01'],
  ['SDA', 22, 22, '04-01 08-01 12-01'],
  ['SDA', 23, 27, '02-01 06-01 10-01'],
  ['WIN', 17, 17, '05-01 08-01 11-01'],
  ['WIN', 18, 18, '02-01 05-01 08-01 10-01'],
  ['WIN', 19, 19, '02-01 05-01 08-01 09-01 10-01 12-01'],
  ['WIN', 20, 20, '02-01 03-01 06-01 07-01 09-01 10-01 12-01'],
  ['WIN', 21, 21, '02-01 05-01 09-01'],
  ['WIN', 22, 22, '02-01 05-01 09-01 12-01'],
  ['WIN', 23, 27, '02-01 05-01 08-01 11-01'],
  ['BIO', 17, 18, '09-01'],
  ['BIO', 19, 20, '04-01 11-01'],
  ['BIO', 21, 22, '03-01 09-01'],
  ['BIO', 23, 27, '04-01 10-01'],
  ['GEM', 18, 18, '04-01 11-01'],
  ['GEM', 19, 19, '- 04-01 11-01'],
  ['GEM', 20, 20, '04-01 - 11-01'],
  ['INN', 20, 20, '09-01'],
  ['INN', 21, 21, '04-01 08-01'],
  ['INN', 22, 22, '04-01 12-01'],
  ['INN', 23, 27, '05-01 09-01'],
  ['BME', 21, 21, '12-01'],
  ['BME', 22, 22, '10-01'],
  ['BME', 23, 27, '04-01 09-01'],
  ['GEE', 16, 16, '11-23'],
  ['KWK', 17, 17, '12-01'],
  ['KWK', 18, 27, '06-01 12-01'],
  ['iKWK', 18, 27, '06-01 12-01'],
];

describe('the calendar', () => {
  it.each<[number: string, datum: string]>([
    ['FFA15-1/001', '2015-04-15'],
    ['FFA15-3/110', '2015-12-01'],
    ['SOL19-3/010', '2019-06-01'],
    ['SOL20-6/036', '2020-10-01'],
    ['SDA22-1/001', '2022-04-01'],
    ['WIN17-1-096', '2017-05-01'],
    ['WIN19-4-004', '2019-09-01'],
    ['WIN20-7/001', '2020-12-01'],
    ['BIO21-2/087', '2021-09-01'],
    ['GEM18-2/004', '2018-11-01'],
    ['GEM19-2/001', '2019-04-01'],
    ['INN21-2/001', '2021-08-01'],
    ['GEE16-1/020', '2016-11-23'],
    ['BME21-1/007', '2021-12-01'],
    ['BME22-1/002', '2022-10-01'],
    ['iKWK25-1-2', '2025-06-01'],
    ['WIN27-4/001', '2027-11-01'],
  ])('says that %s is of %s', (text, datum) => {
    const id = tenderOf(awardNumbers(text).numbers[0]!, calendar);
    expect(tenderKey(id!)?.datum).toBe(datum);
    expect(id).toBe(tenderId(tenderKey(id!)!));
  });

  it.each(['FFA12-2/090', 'SOL19-8/312', 'SDA24-6/152', 'GEM19-1/001', 'GEM20-2/001', 'BME22-2/002'])(
    'says that %s is of no round whose date is known',
    (text) => expect(tenderOf(awardNumbers(text).numbers[0]!, calendar)).toBeNull(),
  );

  it('has these bid dates in these years, and no others', () => {
    const expected = BID_DATES.flatMap(([series, from, to, days]) =>
      Array.from({ length: to - from + 1 }, (_, year) => from + year).flatMap((year) =>
        days
          .split(' ')
          .flatMap((day, index) => (day === '-' ? [] : [`${series}${year}-${index + 1} 20${year}-${day}`])),
      ),
    );
    const found = calendar.rounds.map((round) => `${calendarCode(round)} ${round.datum}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('has a code for every round with figures, but for wind at sea, whose awards have no numbers', () => {
    const dated = new Set(calendar.rounds.flatMap((round) => keyOf(round) ?? []).map(tenderId));
    const without = rounds.filter(({ id, technologie }) => technologie !== 'WIND_SEE' && !dated.has(id));
    expect(without).toEqual([]);
  });

  it('has every code once', () => {
    const codes = calendar.rounds.map(calendarCode);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('is read by the codes of rounds, whatever their case', () => {
    expect(['win19-4', 'IKWK25-1', 'WIN19-9'].map((code) => tenderOfCode(code, calendar))).toEqual([
      2019090110,
      2025060171,
      null,
    ]);
  });
});
