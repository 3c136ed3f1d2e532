import { describe, expect, it } from 'vitest';
import { awardLines } from '../../../ingest/explain/awards.ts';
import type { Claim, SeriesRow } from '../../../ingest/explain/claim.ts';
import type { AwardLink, KeptAward } from '../../../ingest/explain/kept.ts';
import { initialFormula, missingRate } from '../../../ingest/explain/rules.ts';

/** The sentences of `ingest -- explain` on awards, on the end of the rate table, and on the initial rate of wind. */

const award = (gebotstermin: number, more: Partial<KeptAward> = {}): KeptAward => ({
  gebotstermin,
  technologie: 'SOLAR_FREIFLAECHE',
  datum: '2019-12-01',
  bekanntgabe: '2020-01-10',
  mittel: 5.68,
  hoechstes: null,
  mengeKw: null,
  einheitspreis: null,
  festePraemie: null,
  flurstueckGleich: null,
  ...more,
});

const link = (gebotstermin: number | null, zuschlagsnummer: string, more: Partial<AwardLink> = {}): AwardLink => ({
  mastrNummer: 'SEE900000000001',
  gebotstermin,
  zuschlagsnummer,
  zuordnung: 'register',
  regel: 'registernummer',
  sicherheit: 'sicher',
  ...more,
});

const LISTED = { zuordnung: 'abgleich', sicherheit: 'wahrscheinlich' };

describe('an award', () => {
  it('has its number, the facts of its round, and where the link comes from', () =>
    expect(awardLines([award(1, { mengeKw: 5000 })], [link(1, 'SOL19-5/085')])).toEqual([
      'SOL19-5/085, SOLAR_FREIFLAECHE of 2019-12-01: announced on 2020-01-10, 5000 kW awarded, mean value 5.68 ct/kWh',
      '  linked with SEE900000000001: the register names the number (registernummer, register, sicher)',
    ]));

  it.each([
    ['2019-12-01', '2020-02-01'],
    ['2021-12-31', '2022-02-28'],
    ['2023-12-31', '2024-02-29'],
    ['2024-06-30', '2024-08-30'],
  ])('of %s whose announcement is not known says which day is assumed', (datum, assumed) =>
    expect(awardLines([award(1, { bekanntgabe: null, datum })], [])[0]).toContain(
      `day of announcement unknown, ${assumed} is assumed, two months after the bid date`,
    ),
  );

  it.each([
    ['see_nummer', 'the award list names the unit'],
    ['eeg_nummer', 'the award list names the EEG plant'],
    ['flurstueck', 'award list and unit have a parcel in common'],
  ])('that the rule %s links says so', (regel, words) =>
    expect(awardLines([award(1)], [link(1, 'SOL19-5/085', { ...LISTED, regel })])[1]).toBe(
      `  linked with SEE900000000001: ${words} (${regel}, abgleich, wahrscheinlich)`,
    ),
  );

  it('of several units is told once for each rule, with some of the units', () => {
    const units = Array.from({ length: 7 }, (_, at) => `SEE90000000000${at}`);
    const links = units.map((mastrNummer) => link(1, 'SOL19-5/085', { mastrNummer }));
    expect(awardLines([award(1)], links).slice(1)).toEqual([
      `  linked with ${units.slice(0, 5).join(', ')} and 2 more: the register names the number (registernummer, register, sicher)`,
    ]);
  });

  it('has the number of its place among those of the round', () => {
    const lines = awardLines(
      [award(1, { mengeKw: 1 }), award(1, { mengeKw: 2 }), award(2)],
      [link(2, 'SOL18-1/001'), link(1, 'SOL19-5/086'), link(1, 'SOL19-5/085')],
    );
    expect(lines.filter((line) => !line.startsWith(' ')).map((line) => line.split(',')[0])).toEqual([
      'SOL19-5/085',
      'SOL19-5/086',
      'SOL18-1/001',
    ]);
  });

  it('that does not count is named with the reason', () =>
    expect(
      awardLines([], [link(null, 'SOL99-9/001'), link(3, 'KWK21-1-2')]).filter((line) => !line.startsWith(' ')),
    ).toEqual([
      'SOL99-9/001: does not count, as no such round is known',
      'KWK21-1-2: does not count, as its round is of another law or for other carriers',
    ]));

  it('whose number is one of several that a foreign unit may have names them all', () => {
    const lines = awardLines([award(1)], [link(1, 'SOL19-5/086'), link(1, 'SOL19-5/085')]);
    expect(lines[0]).toMatch(/^SOL19-5\/085 or SOL19-5\/086, SOLAR/);
    expect(lines).toHaveLength(3);
  });
});

describe('a plant for which the table has no rate', () => {
  const CLAIM: Claim = {
    ruleDay: '2014-05-01',
    series: 'solar/grund/freiflaeche',
    reachKw: 12_000,
    twoStage: false,
    yieldPercent: null,
    yieldFixed: false,
    initialMonths: null,
    monthsBefore: null,
    initialUntil: null,
  };
  const row = (line: number, validFrom: string, validTo: string, toKw: number | null, hasRate = true): SeriesRow => ({
    ...{ line, validFrom, validTo, toKw, hasRate },
  });

  it('is larger than the highest band of its day', () =>
    expect(
      missingRate(CLAIM, [row(7, '2014-05-01', '2014-05-31', 1000), row(8, '2014-05-01', '2014-05-31', 10_000)]),
    ).toEqual([
      'Asked of data/reference/eeg-rates.csv: solar/grund/freiflaeche on 2014-05-01',
      'Line 8, its highest band, ends at 10000 kW; the plant reaches 12000 kW',
    ]));

  it('is of a day on which no line holds: the last before and the first after are named', () =>
    expect(
      missingRate(CLAIM, [
        row(5, '2013-01-01', '2014-03-31', null),
        row(6, '2013-01-01', '2013-12-31', null),
        row(9, '2014-06-01', '2014-06-30', null),
        row(10, '2015-06-01', '2015-06-30', null),
      ]).slice(1),
    ).toEqual(['Line 5 ended on 2014-03-31', 'Line 9 begins on 2014-06-01']));

  it('reaches a line without a rate', () =>
    expect(missingRate(CLAIM, [row(7, '2014-01-01', '2014-12-31', null, false)])[1]).toBe('Line 7 names no rate'));

  it('is of no class of the table', () =>
    expect(missingRate({ ...CLAIM, series: null }, [])).toEqual([
      'data/reference/eeg-rates.csv has no class for this kind of plant',
    ]));
});

describe('the months of the initial rate', () => {
  it.each([
    ['2006-03-10', 80, '60 + 2 × whole part of (150 − 80) / 0.75'],
    ['2003-06-15', 150, '60 + 2 × 0'],
    ['2015-03-01', 90, '60 + whole part of (130 − 90) / 0.36 + whole part of (100 − 90) / 0.48'],
    ['2015-03-01', 110, '60 + whole part of (130 − 110) / 0.36 + 0'],
  ])('of %s at %d %%: %s', (day, percent, formula) => expect(initialFormula(day, percent)).toBe(formula));
});
