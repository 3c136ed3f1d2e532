import { describe, expect, it } from 'vitest';
import { decodeText, readCsv } from '../../../ingest/tenders/csv.ts';
import type { ListedAward } from '../../../ingest/tenders/loaded.ts';
import type { TenderFile } from '../../../ingest/tenders/read-file.ts';
import { readRounds } from '../../../ingest/tenders/read-rounds.ts';
import { referenceCalendar } from '../../../ingest/tenders/reference.ts';
import type { Cell } from '../../../ingest/tenders/values.ts';
import { calendarOf } from '../../../sql/tenders/calendar.ts';

const CALENDAR = calendarOf(referenceCalendar(2027));

const fileOf = (rows: readonly (readonly Cell[])[], name = 'liste.xlsx'): TenderFile => ({
  name,
  digest: 'a'.repeat(64),
  sheets: [{ name: 'Tabelle1', rows }],
});

/** The only round of a list. */
function read(rows: readonly (readonly Cell[])[], name?: string) {
  const [round, ...others] = readRounds(fileOf(rows, name), CALENDAR);
  expect(others).toEqual([]);
  return { ...round!.key, ...round!.liste! };
}

const kindsOf = ({ befunde }: ReturnType<typeof read>) => befunde.map(({ befund }) => befund);

const BIDDER = 'Erika Mustermann Solar GbR';
const PLACE = 'Bayern, Landkreis Aichach-Friedberg, PLZ 86554, Gemeinde Pöttmes, Gemarkung Hohenried: 1264; 1276';

describe('an award list', () => {
  it.each<[period: string, headings: string[], row: string[]]>([
    [
      'wind 2017',
      ['Name des Bieters', 'Gebotsnummer*', 'Zuschlagsnummer', 'Angegebener Standort'],
      [BIDDER, '1', 'WIN17-1-096', PLACE],
    ],
    [
      'GEM 2018',
      ['Name des Bieters', 'Gebots-Nr.*', 'Zuschlags-Nr.', 'Angegebener Standort der Anlage'],
      [BIDDER, '', 'Gem18-1-036', PLACE],
    ],
    [
      'wind 2019-05',
      ['Name des Bieters', 'Gebotsnummer*', 'Zuschlagsnummer', 'Kassen-\nzeichen', 'Angegebener Standort'],
      [BIDDER, '', 'WIN19-2-001', '1155 4020 9480', PLACE],
    ],
    [
      'wind 2019-09',
      ['Name', 'Gebots-Nr.*', 'Zuschlags-Nr.', 'Angegebener Standort der Anlage (MaStR-Nummer)'],
      [BIDDER, '', 'WIN19-4-004', PLACE],
    ],
    [
      'wind 2019-12',
      ['Name', 'Gebots-Nr.*', 'Zuschlags-Nr.', 'Kassenzeichen', 'Angegebener Standort der Anlage (Anlagennummer)'],
      [BIDDER, '', 'WIN19-6/026', '115420440782', PLACE],
    ],
    [
      'solar 2020',
      ['Name', 'Gebots-\nNr.*', 'Zuschlags-\nNr.', 'Kassen-\nzeichen', 'Angegebener Standort der Anlage'],
      [BIDDER, '2', 'SOL20-2/150', '1', PLACE],
    ],
    [
      'biomass 2020',
      ['Name', 'Gebots-Nr.*', 'Zuschlags-Nr.', 'Angegebener Standort der Anlage'],
      [BIDDER, '2', 'BIO20-1/002', PLACE],
    ],
    [
      'iKWK 2025',
      ['Bieter', 'Anlagenstandort', 'MaStR-Nr.', 'Gebotsnummer', 'Zuschlagsnummer'],
      [BIDDER, PLACE, '', '2', 'iKWK25-1-2'],
    ],
  ])('of %s is read, and its bidders are not kept', (_, headings, row) => {
    const list = read([['Liste der Zuschläge'], [], headings, row, ['* wenn vom Bieter angegeben']]);
    expect(list.zuschlaege).toMatchObject([{ gemeinde: 'Pöttmes', flurstueck: 'Hohenried//1264; Hohenried//1276' }]);
    expect(kindsOf(list)).toEqual([]);
    expect(JSON.stringify(list)).not.toMatch(/Erika|Mustermann|1155 4020|115420440782/);
  });

  it('is found in whatever order its columns are', () => {
    const list = read([
      ['Standort der Anlage', 'Zuschlagsnummer', 'Bieter'],
      [PLACE, 'SOL20-2/037', BIDDER],
    ]);
    expect(list).toMatchObject({ datum: '2020-03-01', technologie: 'SOLAR_FREIFLAECHE' });
    expect(list.zuschlaege[0]).toMatchObject({ id: 202003012000037, gebotstermin: 2020030120, plz: '86554' });
  });

  it('takes the place from columns of its own, below headings of two rows', () => {
    const list = read([
      ['Bieter', 'Zuschlagsnummer', 'Standort', null, null, null, null, null, null],
      [null, null, 'Bundesland', 'Landkreis', 'PLZ', 'Gemeinde', 'Gemarkung', 'Flur', 'Flurstück'],
      [BIDDER, 'SOL24-2/004', 'Sachsen', 'Kreisfreie Stadt Leipzig', 4109, 'Leipzig', 'Leipzig', 3, '1/2; 4'],
    ]);
    expect(list.zuschlaege[0]).toMatchObject({
      ...{ bundesland: 'Sachsen', landkreis: 'Leipzig', plz: '04109', gemeinde: 'Leipzig', gemarkung: 'Leipzig' },
      flurstueck: 'Leipzig/3/1/2; Leipzig/3/4',
    });
  });

  it.each([
    ['Gebotsmenge (kW)', '10.000', 10_000],
    ['Zuschlagsmenge (MW)', '9,9984', 9998.4],
    ['Bezuschlagte Menge in kW', 749.5, 749.5],
  ])('has the volume of its column %s in kW', (label, cell, gebotsmengeKw) => {
    const list = read([
      ['Zuschlagsnummer', 'Standort', label],
      ['SOL24-2/004', PLACE, cell],
    ]);
    expect(list.zuschlaege[0]).toMatchObject({ gebotsmengeKw });
  });

  it('has no volume where the unit is not said', () => {
    const list = read([
      ['Zuschlagsnummer', 'Standort', 'Gebotsmenge'],
      ['SOL24-2/004', PLACE, 10],
    ]);
    expect(list.zuschlaege[0]).toMatchObject({ gebotsmengeKw: null });
    expect(list.befunde).toMatchObject([{ befund: 'ausschreibung_wert_unlesbar', hinweis: 'ohne Einheit' }]);
  });

  it('counts what it does not know, and goes on', () => {
    const list = read([
      ['Zuschlagsnummer', 'Standort', 'Sonderspalte'],
      ['SOL20-2/001', PLACE, 'x'],
      ['SOL20-2/001', `${PLACE}; 1277`, 'x'],
      ['S0L20-2/002', PLACE, 'x'],
      ['102002', PLACE, 'x'],
      ['SOL19-8/312', PLACE, 'x'],
      ['SOL20-2/003', '', 'x'],
      ['SOL20-2/004', 'siehe Anlage', 'x'],
    ]);
    expect(new Set(kindsOf(list))).toEqual(
      new Set([
        'ausschreibung_spalte_unbekannt',
        'zuschlag_standort_unlesbar',
        'zuschlag_unvollstaendig',
        'zuschlagsnummer_andere_runde',
        'zuschlagsnummer_berichtigt',
        'zuschlagsnummer_doppelt',
        'zuschlagsnummer_unlesbar',
      ]),
    );
    const texts = list.zuschlaege.map(({ zuschlagsnummer }: ListedAward) => zuschlagsnummer);
    expect(texts).toEqual(
      expect.arrayContaining(['SOL20-2/001', 'SOL20-2/002', '102002', 'SOL19-8/312', 'SOL20-2/003']),
    );
    expect(new Set(list.zuschlaege.map(({ id }) => id)).size).toBe(6);
  });

  it('joins the rows over which a cell was merged', () => {
    const list = read([
      ['Bieter', 'Zuschlagsnummer', 'Standort'],
      [BIDDER, 'SOL20-2/001', 'Gemeinde A, Gemarkung B: 1'],
      [null, null, 'Gemarkung C: 2'],
    ]);
    expect(list.zuschlaege).toMatchObject([
      { flurstueck: 'B//1; C//2', flurstueckRoh: 'Gemeinde A, Gemarkung B: 1\nGemarkung C: 2' },
    ]);
  });

  it('keeps the location as published, and takes register numbers from their own column, too', () => {
    const list = read([
      ['Bieter', 'Anlagenstandort', 'MaStR-Nr.', 'Gebotsnummer', 'Zuschlagsnummer'],
      [BIDDER, '50354 Hürth', 'SEE962153796295, 959215616806', '2', 'iKWK25-1-2'],
      [null, null, 'EEG996867113048', null, null],
    ]);
    expect(list.zuschlaege).toMatchObject([
      {
        ...{ flurstueckRoh: '50354 Hürth', mastrNummern: ['SEE962153796295', 'SEE959215616806'] },
        foerderNummern: ['EEG996867113048'],
      },
    ]);
  });

  it('passes over headings that are repeated, totals and footnotes', () => {
    const headings = ['Bieter', 'Zuschlagsnummer', 'Standort'];
    const list = read([
      headings,
      [BIDDER, 'SOL20-2/001', PLACE],
      headings,
      ['Summe: 1', null, null],
      ['* wenn angegeben', '', ''],
    ]);
    expect(list.zuschlaege).toHaveLength(1);
  });

  it('tells no name where a number should be', () => {
    const list = read([
      ['Zuschlagsnummer', 'Standort'],
      ['SOL20-2/001', PLACE],
      [BIDDER, PLACE],
    ]);
    expect(JSON.stringify(list)).not.toContain('Mustermann');
    expect(list.zuschlaege.map(({ zuschlagsnummer }) => zuschlagsnummer).sort()).toEqual(['SOL20-2/001', null]);
  });

  it('passes over headings of two rows that are repeated on every page', () => {
    const headings = [
      ['Bieter', 'Zuschlagsnummer', 'Standort', null],
      [null, null, 'Gemeinde', 'Gemarkung'],
    ];
    const list = read([...headings, [BIDDER, 'SOL20-2/001', 'A', 'B'], ...headings, [BIDDER, 'SOL20-2/002', 'C', 'D']]);
    expect(list.zuschlaege).toMatchObject([
      { gemeinde: 'A', gemarkung: 'B', flurstueckRoh: 'Gemeinde A, Gemarkung B' },
      { gemeinde: 'C', gemarkung: 'D' },
    ]);
  });
});

describe('the round of a list', () => {
  const rows = (title: string, number: string) => [[title], ['Zuschlagsnummer', 'Standort'], [number, PLACE]];

  it.each([
    ['GEM19-2-001', '2019-04-01', 'GEMEINSAM'],
    ['GEM20-3-001', '2020-11-01', 'GEMEINSAM'],
    ['BIO19-2/044', '2019-11-01', 'BIOMASSE'],
    ['WIN23-4/001', '2023-11-01', 'WIND'],
    ['SDA27-3/001', '2027-10-01', 'SOLAR_DACH'],
  ])('of %s is that of the calendar: %s', (number, datum, technologie) =>
    expect(read(rows('Zuschläge', number))).toMatchObject({ datum, technologie, kalender: [] }),
  );

  it('is learned from its title, where the calendar does not know it', () => {
    expect(read(rows('Liste der Zuschläge zum Gebotstermin 1. Oktober 2022', 'BME22-2/002'))).toMatchObject({
      datum: '2022-10-01',
      kalender: [{ serie: 'BME', jahr: 2022, ordnungszahl: 2, datum: '2022-10-01', beleg: 'geladen' }],
    });
  });

  it('is that of its title where the calendar has another, and that is told', () => {
    const list = read(rows('Gebotstermin 1. April 2018', 'WIN18-2-001'));
    expect(list).toMatchObject({ datum: '2018-04-01', kalender: [{ ordnungszahl: 2 }] });
    expect(kindsOf(list)).toContain('gebotstermin_abweichend');
  });

  it('keeps its date in the calendar when the bids were due on the next working day', () => {
    expect(read(rows('Gebotstermin 2. Juni 2025', 'SDA25-2/001'))).toMatchObject({ datum: '2025-06-01', kalender: [] });
  });

  it('comes from the name of the file, when nothing else has it', () => {
    expect(read(rows('Zuschläge', 'BME22-2/002'), 'Gebotstermin_01_10_2022.xlsx')).toMatchObject({
      datum: '2022-10-01',
    });
  });

  it.each([
    ['Zuschläge veröffentlicht am 15. September 2020', '2020-09-22'],
    ['Die Zuschläge gelten als bekannt gegeben am 22.09.2020', '2020-09-22'],
    ['Zuschläge', null],
  ])('counts as announced by "%s": %s', (title, bekanntgabe) =>
    expect(read(rows(title, 'WIN20-2/012'))).toMatchObject({ bekanntgabe }),
  );
});

describe('a file is refused', () => {
  const rowsOf = (...lines: string[]) => lines.map((line) => line.split(' | '));

  it.each<[why: string, rows: string[][], message: RegExp]>([
    [
      'without award numbers',
      rowsOf('Name | Gebotsnummer | Angegebener Standort', `${BIDDER} | 1 | ${PLACE}`),
      /no column of award numbers .* headings are "Name", "Gebotsnummer", "Angegebener Standort"$/,
    ],
    [
      'without locations',
      rowsOf('Name | Zuschlags-Nr. | Ort der Handlung', `${BIDDER} | SOL20-2/001 | ${PLACE}`),
      /no column of the location; its headings are "Name", "Zuschlags-Nr.", "Ort der Handlung"$/,
    ],
    [
      'when no number is one',
      rowsOf('Zuschlagsnummer | Standort', `4711 | ${PLACE}`),
      /none of its 1 rows has an award number .* 4 characters: digits$/,
    ],
    [
      'when its date is not known',
      rowsOf('Zuschlagsnummer | Standort', `BME22-2/002 | ${PLACE}`),
      /bid date of BME22-2 is not known/,
    ],
    [
      'when it has several rounds',
      rowsOf('Zuschlagsnummer | Standort', `SOL20-2/001 | ${PLACE}`, `SOL20-3/001 | ${PLACE}`),
      /awards of several rounds \(SOL20-2, SOL20-3\)/,
    ],
    [
      'when it is something else',
      rowsOf(`Rechnung | ${BIDDER}`, 'Betrag | 3'),
      /neither a list of awards .* nor figures .* none of its 2 rows/,
    ],
  ])('%s', (_, rows, message) => {
    expect(() => readRounds(fileOf(rows), CALENDAR)).toThrow(message);
    expect(() => readRounds(fileOf(rows), CALENDAR)).not.toThrow(/Mustermann/);
  });
});

describe('a copy in CSV', () => {
  const text = `Liste der Zuschläge\nBieter;Zuschlags-Nr.;Standort\n${BIDDER};SOL20-2/001;"Gemeinde Südbrookmerland, Gemarkung X: Flur 1: 2; 3"\n`;

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['the encoding of Macs', Buffer.from(text.replaceAll('ä', '\x8a').replaceAll('ü', '\x9f'), 'latin1')],
    ['the encoding of MS-DOS', Buffer.from(text.replaceAll('ä', '\x84').replaceAll('ü', '\x81'), 'latin1')],
  ])('is read in %s', (_, bytes) => {
    const { rows } = readCsv(decodeText(bytes));
    expect(read(rows).zuschlaege).toMatchObject([{ gemeinde: 'Südbrookmerland', flurstueck: 'X/1/2; X/1/3' }]);
  });

  it('letters that were encoded twice are told, since they would be read as others', () => {
    const twice = Buffer.from(Buffer.from(text).toString('latin1'));
    expect(() => decodeText(twice)).toThrow('its letters were encoded twice');
  });

  it.each([';', ',', '\t'])('is split at %j where that makes headings', (separator) => {
    const line = (...cells: string[]) => cells.map((cell) => `"${cell}"`).join(separator);
    const { rows } = readCsv(`${line('Zuschlagsnummer', 'Standort')}\n${line('SOL20-2/001', PLACE)}\n`);
    expect(read(rows).zuschlaege).toMatchObject([{ gemeinde: 'Pöttmes' }]);
  });

  it('may be a table with pipes, as pages are copied', () => {
    const { rows, ...sheet } = readCsv(
      `| Bieter | Zuschlags-Nr. | Standort |\n|---|:---:|---|\n| ${BIDDER} | SOL20-2/001 | ${PLACE} |\n`,
    );
    expect(sheet).not.toHaveProperty('separator');
    expect(read(rows).zuschlaege).toMatchObject([
      { zuschlagsnummer: 'SOL20-2/001', flurstueck: 'Hohenried//1264; Hohenried//1276' },
    ]);
  });

  it.each([
    ['a separator in the last cell', [`${BIDDER};1;SOL20-2/001;Gemarkung A: Flur 1: 2; 3; 4`], 1],
    ['a separator in a cell between others', [`1;Gemarkung A: Flur 1: 2; 3; 4;SOL20-2/001;9.000`], 1, 1],
    ['separators in name and location', [`Muster; Söhne;1;SOL20-2/001;Gemarkung A: Flur 1: 2; 3;`, '4'], 2],
    ['a line break in the last cell', [`${BIDDER};1;SOL20-2/001;Gemarkung A: Flur 1: 2,`, '3, 4'], 1],
    ['line breaks and separators', [`${BIDDER};1;SOL20-2/001;Gemarkung A: Flur 1: 2;`, '3;', '4'], 2],
    ['a line break before the number', [`1;Gemarkung A: Flur 1: 2,`, '3, 4;SOL20-2/001;9.000'], 1, 1],
    ['a line break behind the number', [`SOL20-2/001;Gemarkung A: Flur 1: 2,`, '3, 4;9.000;1'], 1, 2],
  ])('keeps the parcels behind %s that lack their quotes', (_, lines, anzahl, layout = 0) => {
    const headings = [
      'Name;Gebotsnummer;Zuschlagsnummer;Standort',
      'Gebotsnummer;Standort;Zuschlagsnummer;Gebotsmenge (kW)',
      'Zuschlagsnummer;Standort;Gebotsmenge (kW);Gebotsnummer',
    ];
    const after = [
      `${BIDDER};2;SOL20-2/002;${PLACE.split(',')[0]}`,
      '1;Bayern;SOL20-2/002;3',
      'SOL20-2/002;Bayern;3;1',
    ];
    const sheet = readCsv(
      [
        headings[layout],
        ...lines,
        after[layout],
        '* wenn vom Bieter angegeben',
        layout === 0 ? 'Summe;2' : 'Summe;;;9.000',
      ].join('\n'),
    );
    const [round] = readRounds({ ...fileOf([]), sheets: [sheet] }, CALENDAR);
    expect(round!.liste!.zuschlaege).toMatchObject([
      {
        zuschlagsnummer: 'SOL20-2/001',
        flurstueck: 'A/1/2; A/1/3; A/1/4',
        ...(layout === 0 ? {} : { gebotsmengeKw: 9000 }),
      },
      { zuschlagsnummer: 'SOL20-2/002', bundesland: 'Bayern' },
    ]);
    expect(round!.liste!.befunde.find(({ befund }) => befund === 'ausschreibung_zeile_geteilt')).toMatchObject({
      anzahl,
    });
  });

  it('may have a stray quote inside of a cell', () => {
    const { rows } = readCsv(
      'Zuschlagsnummer;Standort\nSOL20-2/001;Gemeinde A, Gemarkung B: 1"\nSOL20-2/002;Gemeinde C\n',
    );
    expect(read(rows).zuschlaege).toMatchObject([{ gemeinde: 'A' }, { gemeinde: 'C' }]);
  });

  it.each([
    ['of separators', ';'.repeat(700_000)],
    ['of one row', 'x'.repeat(200_000)],
    ['of quotes that never end', '"'.repeat(200_001)],
    ['of short rows', 'a\n'.repeat(40_000)],
  ])('%s is refused', (_, text) => expect(() => readCsv(text)).toThrow(/it is no CSV|more than 30,000 rows/));
});
