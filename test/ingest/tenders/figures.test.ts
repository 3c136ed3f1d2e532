import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../ingest/tenders/csv.ts';
import type { TenderFile } from '../../../ingest/tenders/read-file.ts';
import { readRounds } from '../../../ingest/tenders/read-rounds.ts';
import { referenceCalendar } from '../../../ingest/tenders/reference.ts';
import type { Sheet } from '../../../ingest/tenders/sheet.ts';
import type { Cell } from '../../../ingest/tenders/values.ts';
import { calendarOf } from '../../../sql/tenders/calendar.ts';

const CALENDAR = calendarOf(referenceCalendar(2027));

const read = (sheets: readonly Sheet[], name = 'Statistik_Onshore.xlsx') =>
  readRounds({ name, digest: '', sheets } satisfies TenderFile, CALENDAR).map(({ key, statistik }) => ({
    ...key,
    ...statistik!,
  }));

const day = (text: string) => new Date(`${text}T00:00:00Z`);

const HEADINGS: Cell[][] = [
  [
    ...['Verfahren', 'Gebotstermin', 'Ausschreibungsvolumen (kW)', 'Gebotsmenge (kW)', 'Zuschlagsmenge (kW)', null],
    ...['Gebotswert (ct/kWh)', null, null, 'Zuschlagswert (ct/kWh)', null, null],
  ],
  [
    ...[null, null, null, null, 'bei Zuschlag', 'nach Entwertung'],
    ...['Min.', 'Gew. Mittel', 'Max.', 'Min.', 'Gew. Mittel', 'Max.'],
  ],
];

const TITLES: Cell[][] = [['Bundesnetzagentur'], [], ['Statistik'], [], [], []];

describe('a statistics workbook', () => {
  it('has a row for each round below titles and headings of two rows', () => {
    const rows = [
      ...TITLES,
      ...HEADINGS,
      ['EEG Wind', day('2019-09-01'), 500_000, 187_000.4, 179_410, 170_000, 6, 6.2, 6.2, 6.19, 6.185, 6.2],
      ['EEG Wind', '01.12.2019', '500.000', '686.000', '509.040', '', '', '', '', 5.74, '6,105', 6.18],
      ['Summe', null, 1_000_000],
    ];
    expect(read([{ name: 'Übersicht', rows }])).toMatchObject([
      {
        ...{ technologie: 'WIND', datum: '2019-09-01', volumenAusgeschriebenKw: 500_000, volumenBeworbenKw: 187_000 },
        // Volumes are those at award, and the mean that of the awards, rounded half up.
        ...{ volumenBezuschlagtKw: 179_410, gebotNiedrigstesCtKwh: 6.19, zuschlagswertDurchschnittCtKwh: 6.19 },
        befunde: [],
      },
      {
        ...{ datum: '2019-12-01', volumenBezuschlagtKw: 509_040, zuschlagswertDurchschnittCtKwh: 6.11 },
        gebotHoechstesCtKwh: 6.18,
      },
    ]);
  });

  it('reads the cap, which is no highest bid', () => {
    const rows = [
      ['Gebotstermin', 'Zulässiger Höchstwert (ct/kWh)', 'Höchster Gebotswert (mit Zuschlag) (ct/kWh)'],
      [day('2026-05-01'), 7.25, 5.9],
    ];
    expect(read([{ name: 'EEG Wind', rows }])).toMatchObject([{ hoechstwertCtKwh: 7.25, gebotHoechstesCtKwh: 5.9 }]);
  });

  it('tells the mean of the awards from that of the bids by the title above', () => {
    const rows = [
      ['Gebotstermin', 'Gebotswert (ct/kWh)', 'Zuschlagswert (ct/kWh)'],
      [null, 'Gew. Mittel', 'Gew. Mittel'],
      [day('2026-07-01'), 4.9, 4.79],
    ];
    expect(read([{ name: 'Übersicht', rows }], 'statistik_solar1.xlsx')).toMatchObject([
      { technologie: 'SOLAR_FREIFLAECHE', zuschlagswertDurchschnittCtKwh: 4.79 },
    ]);
  });

  it('has number and volume in the blocks of bids and awards', () => {
    const rows = [
      ['Gebotstermin', 'Gebote', null, null, 'Zuschläge', null, null, null],
      [
        null,
        'Anzahl',
        'Menge (MW)',
        'Gew. Mittel (ct/kWh)',
        'Anzahl',
        'Menge (MW)',
        'nach Entwertung (MW)',
        'Gew. Mittel (ct/kWh)',
      ],
      [day('2018-02-01'), 132, 989, 5.1, 83, '708,926', 700, 4.73],
    ];
    expect(read([{ name: 'Übersicht', rows }])).toMatchObject([
      {
        ...{ zuschlaege: 83, volumenBeworbenKw: 989_000, volumenBezuschlagtKw: 708_926 },
        ...{ zuschlagswertDurchschnittCtKwh: 4.73, befunde: [] },
      },
    ]);
  });

  it('takes the technology from the column Verfahren where it has one', () => {
    const rows = [
      ...HEADINGS,
      ['Gemeinsame Ausschreibungen', day('2018-04-01'), 200_000],
      ['EEG Wind', day('2018-05-01'), 670_161],
    ];
    const rounds = read([{ name: 'Übersicht', rows }]);
    expect(rounds.map(({ technologie }) => technologie)).toEqual(['GEMEINSAM', 'WIND']);
  });

  it('may have sheets of single dates; the overview counts, and what else they have is passed over', () => {
    const rows = [...HEADINGS, ['EEG Wind', day('2018-05-01'), 670_161]];
    const again = [...HEADINGS, ['EEG Wind', day('2018-05-01'), 1]];
    const states = [
      ['Land', 'Anzahl'],
      ['Hessen', 3],
    ];
    const [round, ...others] = read([
      { name: 'Übersicht', rows },
      { name: '01.05.2018', rows: again },
      { name: 'Gebotstermin 01.08.2018', rows: states },
      { name: 'Länder', rows: states },
    ]);
    expect(others).toEqual([]);
    expect(round).toMatchObject({
      volumenAusgeschriebenKw: 670_161,
      befunde: [{ befund: 'ausschreibung_blatt_unbekannt', feld: 'Länder' }],
    });
  });

  it('that differs from the figures of the product says so: a correction, or an error of reading', () => {
    const rows = [...HEADINGS, ['EEG Wind', day('2019-09-01'), 500_000, 1, 176_000, '', '', '', '', 6.19, 6.2, 6.2]];
    expect(read([{ name: 'Übersicht', rows }])[0]!.befunde).toMatchObject([
      { befund: 'ausschreibung_wert_abweichend', feld: 'volumenBezuschlagtKw', hinweis: '176000, bisher 179410' },
      { befund: 'ausschreibung_wert_abweichend', feld: 'zuschlagswertDurchschnittCtKwh', hinweis: '6.2, bisher 6.19' },
    ]);
  });
});

describe('an overview page', () => {
  const rows: Cell[][] = [
    ['Ausschreibungen für Windenergieanlagen an Land'],
    ['2018'],
    ['Gebotstermin', day('2018-02-01'), day('2018-05-01')],
    ['Ausgeschriebene Menge (MW)', 700, '670,161'],
    ['Eingereichte Gebote', 132, 111],
    ['Eingereichte Gebotsmenge (MW)', 989, 604],
    ['Zuschläge', 83, 111],
    ['Zuschlagsmenge (MW)', '708,926', '604,140'],
    ['Gebotsausschlüsse', 2, 0],
    ['Gebotsausschlussmenge (MW)', 1, 0],
    ['zulässiger Höchstwert (ct/kWh)', '6,30', '6,30'],
    ['durchschnittlicher, mengengewichteter Zuschlagswert (ct/kWh)', '4,73', '5,73'],
    ['niedrigster Gebotswert (mit Zuschlag) (ct/kWh)', '3,80', '4,65'],
    ['höchster Gebotswert (mit Zuschlag) (ct/kWh)', '5,28', '6,28'],
    [],
    ['2019'],
    ['Gebotstermin', '01.02.2019'],
    ['Ausgeschriebene Menge (kW)', '700.000'],
    ['Zuschlagsmenge (kW)', '476.300'],
    ['höchster Gebotswert (mit Zuschlag) (ct/kWh)', '2,65/4,50'],
  ];

  it('has a block for each year, and in it a column for each date, with the unit in the label', () => {
    expect(read([{ name: '', rows }], 'uebersicht.csv')).toMatchObject([
      {
        ...{ technologie: 'WIND', datum: '2018-02-01', zuschlaege: 83, volumenAusgeschriebenKw: 700_000 },
        ...{ volumenBezuschlagtKw: 708_926, gebotHoechstesCtKwh: 5.28, zuschlagswertDurchschnittCtKwh: 4.73 },
      },
      { datum: '2018-05-01', volumenAusgeschriebenKw: 670_161, gebotNiedrigstesCtKwh: 4.65 },
      { datum: '2019-02-01', volumenAusgeschriebenKw: 700_000, volumenBezuschlagtKw: 476_300, zuschlaege: null },
    ]);
  });

  it('may be a text with pipes', () => {
    const text =
      '| Verfahren | Wind an Land |\n|---|---|\n| Gebotstermin | 1. Mai 2018 |\n| Zuschlagsmenge (kW) | 604.140 |\n';
    expect(read([readCsv(text)], 'kopie.txt')).toMatchObject([{ technologie: 'WIND', volumenBezuschlagtKw: 604_140 }]);
  });

  it('names its procedure in a row of its own, before or behind the date', () => {
    const lines: Cell[][] = [
      ['Verfahren', 'Wind an Land'],
      ['Gebotstermin', '1. Mai 2018'],
      ['Zuschlagsmenge (kW)', '604.140'],
      ['Gebotstermin', '1. Juni 2018'],
      ['Verfahren', 'Solaranlagen des ersten Segments'],
      ['Zuschlagsmenge (kW)', '182.000'],
      ['Verfahren', 'Biomasse'],
      ['Gebotstermin', '1. September 2018'],
      ['Zuschlagsmenge (kW)', '76.000'],
    ];
    expect(read([{ name: '', rows: lines }], 'kopie.csv')).toMatchObject([
      { technologie: 'WIND', datum: '2018-05-01', volumenBezuschlagtKw: 604_140, befunde: [] },
      { technologie: 'SOLAR_FREIFLAECHE', datum: '2018-06-01', volumenBezuschlagtKw: 182_000 },
      { technologie: 'BIOMASSE', datum: '2018-09-01', volumenBezuschlagtKw: 76_000 },
    ]);
  });

  it('leaves out a cell of two values, and tells it', () => {
    expect(read([{ name: '', rows }]).at(-1)).toMatchObject({
      gebotHoechstesCtKwh: null,
      befunde: [{ befund: 'ausschreibung_wert_unlesbar', feld: 'gebotHoechstesCtKwh', hinweis: 'keine einzelne Zahl' }],
    });
  });
});
