import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { filesOf, loadTenders } from '../../../ingest/tenders/load.ts';
import { loadedTenders } from '../../../ingest/tenders/loaded.ts';
import { failedLoads, removeRound, storedRounds } from '../../../ingest/tenders/store.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { type XlsxCell, xlsxOf } from '../../support/xlsx.ts';
import { zipOf } from '../../support/zip.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const DAY = '2026-11-22';
const PLACE = 'Bayern, Landkreis Aichach-Friedberg, PLZ 86554, Gemeinde Pöttmes, Gemarkung Hohenried: 1264; 1276';
let count = 0;

/** A warehouse folder, and a folder of files to load. */
function place() {
  const warehouse = join(folder.path, String(++count));
  const lists = join(warehouse, 'lists');
  mkdirSync(lists, { recursive: true });
  return {
    warehouse,
    put: (name: string, content: Buffer | string) => writeFileSync(join(lists, name), content),
    load: (dryRun = false, replace = false) => loadTenders(warehouse, filesOf([lists]), { dryRun, replace, day: DAY }),
    drop: (name: string) => rmSync(join(lists, name)),
    /** Names and content of all that is stored. */
    stored: () =>
      Object.fromEntries(
        readdirSync(warehouse, { recursive: true })
          .map(String)
          .filter((name) => name.endsWith('.json'))
          .map((name) => [name, readFileSync(join(warehouse, name), 'utf8')]),
      ),
    tenders: () => loadedTenders(warehouse, DAY),
  };
}

const listOf = (...numbers: string[]): Buffer =>
  xlsxOf([
    {
      name: 'Zuschläge',
      rows: [
        ['Liste der Zuschläge'],
        ['Name des Bieters', 'Zuschlags-Nr.', 'Angegebener Standort der Anlage'],
        ...numbers.map((number): XlsxCell[] => ['Erika Mustermann', number, PLACE]),
      ],
    },
  ]);

describe('loading', () => {
  it('stores a round in a file of its own, without bidders', async () => {
    const { put, load, stored } = place();
    put('a.xlsx', listOf('SOL20-2/037', 'SOL20-2/038'));
    expect(await load()).toMatchObject([{ file: 'a.xlsx', outcome: 'loaded', rounds: [2020030120], awards: 2 }]);
    expect(Object.keys(stored())).toEqual(['tenders/2020030120.json']);
    expect(JSON.stringify(stored())).not.toContain('Mustermann');
  });

  it('twice changes nothing, byte by byte', async () => {
    const { put, load, stored } = place();
    put('a.xlsx', listOf('SOL20-2/037'));
    await load();
    const before = stored();
    expect(await load()).toMatchObject([{ outcome: 'unchanged' }]);
    expect(stored()).toEqual(before);
  });

  it('a corrected list replaces its earlier form whole, and ids stay', async () => {
    const { put, load, tenders } = place();
    put('a.xlsx', listOf('SOL20-2/037', 'SOL20-2/038'));
    await load();
    const [first] = tenders().awards;
    put('a.xlsx', listOf('SOL20-2/039', 'SOL20-2/037'));
    const [outcome] = await load();
    expect(outcome?.replaced).toEqual([
      {
        ...{ gebotstermin: 2020030120, quelle: 'Liste der Zuschläge (a.xlsx)', zuschlaege: 2 },
        entfallen: ['SOL20-2/038'],
      },
    ]);
    expect(tenders().awards.map(({ zuschlagsnummer }) => zuschlagsnummer)).toEqual(['SOL20-2/037', 'SOL20-2/039']);
    expect(tenders().awards[0]).toEqual(first);
  });

  const numbersIn = ({ tenders }: ReturnType<typeof place>) =>
    tenders().awards.map(({ zuschlagsnummer }) => zuschlagsnummer);

  it.each([
    ['in one call', false],
    ['one after the other', true],
  ])('lists of a round add up, %s', async (_, apart) => {
    const here = place();
    here.put('a.xlsx', listOf('SOL20-2/037', 'SOL20-2/038'));
    if (apart) await here.load();
    here.put('b.xlsx', listOf('SOL20-2/039'));
    const outcomes = await here.load();
    expect(outcomes.map(({ awards, replaced }) => ({ awards, replaced }))).toEqual([
      { awards: 2, replaced: [] },
      { awards: 1, replaced: [] },
    ]);
    expect(numbersIn(here)).toEqual(['SOL20-2/037', 'SOL20-2/038', 'SOL20-2/039']);
    const before = here.stored();
    expect((await here.load()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
    expect(here.stored()).toEqual(before);
  });

  it('awards that another list of the round has are counted apart, also with --replace and on the second load', async () => {
    const here = place();
    here.put('a.xlsx', listOf('SOL20-2/037', 'SOL20-2/038'));
    here.put('b.xlsx', listOf('SOL20-2/038'));
    for (const replace of [false, true]) {
      const outcomes = await here.load(false, replace);
      expect(outcomes.map(({ awards, elsewhere }) => [awards, elsewhere])).toContainEqual([1, 1]);
      expect(numbersIn(here)).toHaveLength(2);
    }
  });

  it('another list whose file has the same name stands beside the first', async () => {
    const here = place();
    here.put('a.xlsx', listOf('SOL20-2/037', 'SOL20-2/038'));
    await here.load();
    here.put('a.xlsx', listOf('SOL20-2/039'));
    expect(await here.load()).toMatchObject([{ outcome: 'loaded', replaced: [] }]);
    expect(numbersIn(here)).toHaveLength(3);
  });

  it('a list with all awards of another and more takes its place, whatever the name of its file', async () => {
    const here = place();
    here.put('a.xlsx', listOf('SOL20-2/037'));
    await here.load();
    here.drop('a.xlsx');
    here.put('b.xlsx', listOf('SOL20-2/037', 'SOL20-2/038'));
    expect(await here.load()).toMatchObject([{ replaced: [{ zuschlaege: 1, entfallen: [] }] }]);
    expect(storedRounds(here.warehouse).map(({ listen }) => listen.length)).toEqual([1]);
  });

  it('of an award in two lists the one loaded last counts, and that is counted', async () => {
    const here = place();
    here.put('a.csv', 'Zuschlagsnummer;Standort\nSOL20-2/037;Gemeinde A\nSOL20-2/038;Gemeinde A\n');
    here.put('b.csv', 'Zuschlagsnummer;Standort\nSOL20-2/038;Gemeinde B\nSOL20-2/039;Gemeinde B\n');
    const outcomes = await here.load();
    expect(outcomes[1]?.findings).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ befund: 'zuschlag_ersetzt', beispiel: 'SOL20-2/038', anzahl: 1 }),
      ]),
    );
    expect(here.tenders().awards.map(({ gemeinde }) => gemeinde)).toEqual(['A', 'B', 'B']);
    expect(here.tenders().findings).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ hinweis: '3 in 2 Listen, veröffentlicht 51' }),
        expect.objectContaining({ befund: 'zuschlag_ersetzt' }),
      ]),
    );
  });

  it('takes away the lists of before where that is asked for, and says so', async () => {
    const here = place();
    here.put('a.xlsx', listOf('SOL20-2/037', 'SOL20-2/038'));
    await here.load();
    here.drop('a.xlsx');
    here.put('b.xlsx', listOf('SOL20-2/038'));
    here.put('c.xlsx', listOf('SOL20-2/039'));
    for (const dryRun of [true, false])
      expect(await here.load(dryRun, true)).toMatchObject([
        { replaced: [{ zuschlaege: 2, entfallen: ['SOL20-2/037'] }] },
        { replaced: [] },
      ]);
    expect(numbersIn(here)).toEqual(['SOL20-2/038', 'SOL20-2/039']);
  });

  it('sheets of a workbook that are lists of one round add up', async () => {
    const here = place();
    const sheet = (name: string, number: string) => ({
      name,
      rows: [
        ['Zuschlagsnummer', 'Standort'],
        [number, PLACE],
      ],
    });
    here.put('a.xlsx', xlsxOf([sheet('Neuanlagen', 'BIO20-1/002'), sheet('Bestandsanlagen', 'BIO20-1/004')]));
    expect(await here.load()).toMatchObject([{ awards: 2 }]);
    expect(numbersIn(here)).toEqual(['BIO20-1/002', 'BIO20-1/004']);
  });

  it('a list whose bid date was wrong leaves the wrong round when it is corrected', async () => {
    const here = place();
    const list = (date: string) => `Gebotstermin ${date}\nZuschlagsnummer;Standort\nSOL20-2/037;Gemeinde A\n`;
    here.put('a.csv', list('1. März 2021'));
    await here.load();
    here.put('a.csv', list('1. März 2020'));
    expect(await here.load()).toMatchObject([{ replaced: [{ gebotstermin: 2021030120, entfallen: [] }] }]);
    expect(Object.keys(here.stored())).toEqual(['tenders/2020030120.json']);
  });

  it('refuses awards of a bid date that lies ahead', async () => {
    const here = place();
    here.put('a.csv', 'Gebotstermin 1. Februar 2027\nZuschlagsnummer;Standort\nWIN26-1/002;Gemeinde A\n');
    expect(await here.load()).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/bid date 2027-02-01, which is still to come/) },
    ]);
    expect(here.tenders().awards).toEqual([]);
  });

  it('takes from a workbook what a round ahead offers, and nothing of a result that it cannot have', async () => {
    const here = place();
    here.put(
      'w.csv',
      'Verfahren;Wind an Land\nGebotstermin;1. Februar 2027\nAusgeschriebene Menge (kW);3.500.000\nZuschlagsmenge (kW);1.000\n',
    );
    expect(await here.load()).toMatchObject([
      {
        outcome: 'loaded',
        findings: [{ befund: 'ausschreibung_wert_unlesbar', feld: 'volumenBezuschlagtKw', beispiel: '2027-02-01' }],
      },
    ]);
    expect(storedRounds(here.warehouse)).toMatchObject([
      { datum: '2027-02-01', statistik: { volumenAusgeschriebenKw: 3_500_000, volumenBezuschlagtKw: null } },
    ]);
    expect(here.tenders().rounds.find(({ id }) => id === 2027020110)).toMatchObject({ status: 'PENDING' });
  });

  it('reads the round of a store from before rounds had several lists', async () => {
    const here = place();
    here.put('a.xlsx', listOf('SOL20-2/037'));
    await here.load();
    const path = join(here.warehouse, 'tenders/2020030120.json');
    const { listen, ...round } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...round, liste: listen[0] }));
    expect(numbersIn(here)).toEqual(['SOL20-2/037']);
    writeFileSync(path, JSON.stringify({ ...round, liste: null, statistik: null }));
    expect(numbersIn(here)).toEqual([]);
  });

  it('adds figures to a list and a list to figures', async () => {
    const { put, load, tenders } = place();
    const workbook = xlsxOf([
      {
        name: 'Übersicht',
        rows: [
          ['Gebotstermin', 'Zuschlagsmenge (kW)'],
          [new Date('2020-03-01T00:00:00Z'), 301_208.4],
        ],
      },
    ]);
    put('a.xlsx', listOf('SOL20-2/037'));
    await load();
    put('statistik_solar1.xlsx', workbook);
    await load();
    expect(tenders().rounds.find(({ id }) => id === 2020030120)).toMatchObject({
      liste: true,
      volumenBezuschlagtKw: 301_208,
    });
  });

  it('without changing anything, when it is tried only', async () => {
    const { put, load, stored } = place();
    put('a.xlsx', listOf('SOL20-2/037'));
    put('b.csv', 'Name;Gebotsnummer;Standort\nErika Mustermann;1;Berlin\n');
    expect(await load(true)).toMatchObject([{ outcome: 'loaded' }, { outcome: 'refused' }]);
    expect(stored()).toEqual({});
  });

  it('reads the others when a file is refused, and remembers why until it is loaded', async () => {
    const { warehouse, put, load, tenders, stored } = place();
    put('a.xlsx', listOf('SOL20-2/037'));
    put('b.csv', 'Name;Zuschlagsnummer\nErika Mustermann;SDA21-2/023\n');
    expect(await load()).toMatchObject([{ outcome: 'loaded' }, { outcome: 'refused', rounds: [2021120130] }]);
    expect(failedLoads(warehouse)).toMatchObject([
      { datei: 'b.csv', gebotstermin: 2021120130, grund: expect.stringMatching(/no column of the location/) },
    ]);
    expect(tenders().rounds.find(({ id }) => id === 2021120130)).toMatchObject({ status: 'FAILED' });
    expect(JSON.stringify(stored())).not.toContain('Mustermann');
    put('b.csv', 'Name;Zuschlagsnummer;Standort\nErika Mustermann;SDA21-2/023;Gemeinde A\n');
    await load();
    expect(failedLoads(warehouse)).toEqual([]);
    expect(tenders().rounds.find(({ id }) => id === 2021120130)).toMatchObject({ status: 'IMPORTED', zuschlaege: 1 });
  });

  it.each([
    ['by its title', 'x.csv', 'Zuschläge für Solaranlagen des zweiten Segments zum Gebotstermin 1. Dezember 2021'],
    ['by its name', 'Zuschlaege_Dachanlagen_01_12_2021.csv', 'Zuschläge'],
  ])('tells the round of a list without numbers %s', async (_, name, title) => {
    const { put, load, tenders } = place();
    put(name, `${title}\nName;Gebotsnummer;Standort\nErika Mustermann;1;Gemeinde A\n`);
    expect(await load()).toMatchObject([{ outcome: 'refused', rounds: [2021120130] }]);
    expect(tenders().rounds.find(({ id }) => id === 2021120130)).toMatchObject({ status: 'FAILED' });
  });

  it('leaves what is loaded, when a later list of the round is refused', async () => {
    const { put, load, tenders } = place();
    put('a.csv', 'Zuschlagsnummer;Standort\nSDA21-2/023;Gemeinde A\n');
    await load();
    put('a.csv', 'Name;Zuschlagsnummer\nErika;SDA21-2/023\n');
    await load();
    expect(tenders().rounds.find(({ id }) => id === 2021120130)).toMatchObject({ status: 'IMPORTED', liste: true });
  });

  it('can be undone for a round', async () => {
    const { warehouse, put, load, tenders } = place();
    put('a.xlsx', listOf('SOL20-2/037'));
    await load();
    expect([removeRound(warehouse, 2020030120), removeRound(warehouse, 2020030120)]).toEqual([true, false]);
    expect(tenders().awards).toEqual([]);
  });
});

describe('a file that is no list is refused:', () => {
  const bomb = Buffer.alloc(97 << 20, ' ');
  const sheet = (cell: string) => `<worksheet><sheetData>${cell}</sheetData></worksheet>`;
  it.each<[what: string, content: Buffer | string, reason: RegExp]>([
    ['an empty one', '', /is empty/],
    ['a PDF', '%PDF-1.7', /load the xlsx/],
    ['a page of the web', '<!DOCTYPE html><html>', /blob=publicationFile/],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /save it as xlsx/],
    ['a zip that is cut off', listOf('SOL20-2/001').subarray(0, 900), /cut off or damaged/],
    ['a zip of something else', zipOf([{ name: 'a.txt', content: 'x' }]), /no workbook that can be read/],
    [
      'a small file that unpacks to a large one',
      zipOf([{ name: 'xl/a.xml', content: bomb, level: 1 }]),
      /96 MiB unpacked/,
    ],
    [
      'one that lies about its size',
      zipOf([{ name: 'xl/a.xml', content: 'x'.repeat(9999), size: 10 }]),
      /cut off or damaged/,
    ],
    [
      'one with a cell in the last row there is',
      xlsxOf([{ name: 'a', rows: [] }], sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')),
      /30,000 rows of 400 columns/,
    ],
    [
      'one that claims such an extent',
      xlsxOf([{ name: 'a', rows: [] }], `<worksheet><dimension ref="A1:XFD1048576"/></worksheet>`),
      /larger than any/,
    ],
    [
      'one of too many cells',
      xlsxOf([{ name: 'a', rows: [] }], sheet(`<row>${'<c/>'.repeat(10)}${'<c >'.repeat(600_001)}</row>`)),
      /600,000 cells/,
    ],
  ])('%s', async (_, content, reason) => {
    const { put, load } = place();
    put('a.xlsx', content);
    expect((await load())[0]).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(reason) });
  });
});

describe('the files that are meant', () => {
  it('are those named, and the tables in folders, also in folders of those', () => {
    const { warehouse, put } = place();
    const lists = join(warehouse, 'lists');
    mkdirSync(join(lists, '2019'));
    for (const name of ['b.xlsx', 'a.CSV', '~$b.xlsx', 'c.pdf', '2019/d.xlsx']) put(name, 'x');
    expect(filesOf([lists]).map((path) => path.slice(lists.length + 1))).toEqual(['2019/d.xlsx', 'a.CSV', 'b.xlsx']);
    expect(filesOf([join(lists, 'c.pdf')])).toHaveLength(1);
  });

  it('must be there', () => {
    expect(() => filesOf([join(folder.path, 'none')])).toThrow(/no such file/);
    expect(() => filesOf([place().warehouse])).toThrow(/has no lists/);
  });
});
