import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { runGenerator } from '../support/generator.ts';
import {
  currentFields,
  type MemberText,
  membersOf,
  type Row,
  rowsOf,
  SAMPLE,
  SAMPLE_TENDERS,
  temporaryFolder,
  typeOf,
} from './export.ts';

let sample: MemberText[];
let rows: (type: string) => Row[];

beforeAll(async () => {
  sample = await membersOf(SAMPLE);
  const known = new Map<string, Row[]>();
  rows = (type) => {
    const found = known.get(type) ?? rowsOf(sample, type);
    known.set(type, found);
    return found;
  };
});

const UNIT_FILES = [
  'Solar',
  'StromSpeicher',
  'Verbrennung',
  'Wind',
  'Biomasse',
  'Wasser',
  'GeothermieGrubengasDruckentspannung',
  'Kernkraft',
].map((kind) => `Einheiten${kind}`);
const keysOf = (list: readonly Row[], field: string): Set<string> => new Set(list.map((row) => row[field] ?? ''));

describe('committed sample', () => {
  it('is what the generator produces now', async () => {
    const out = join(await temporaryFolder(), 'again.zip');
    const readme = await readFile(new URL('../../data/README.md', import.meta.url), 'utf8');
    const [, options = ''] = /^npm run data -- (generate .*) --out data\/sample\//m.exec(readme) ?? [];
    const tenders = join(await temporaryFolder(), 'tenders');
    const words = options.split(' ').map((word) => (word === 'data/sample/tenders' ? tenders : word));
    expect(words).toContain(tenders);
    expect(await runGenerator([...words, '--workers', '1', '--out', out])).toMatchObject({ code: 0 });
    const brief = (list: readonly MemberText[]) =>
      list.map(({ name, crc, bytes }) => ({ name, crc, size: bytes.length }));
    expect(brief(await membersOf(out))).toEqual(brief(sample));
    const lists = await readdir(SAMPLE_TENDERS);
    expect((await readdir(tenders)).sort()).toEqual(lists.sort());
    for (const list of lists)
      expect((await readFile(join(tenders, list))).equals(await readFile(join(SAMPLE_TENDERS, list))), list).toBe(true);
  });

  it('says in the name of every award list that it is invented', async () => {
    for (const list of await readdir(SAMPLE_TENDERS)) expect(list).toMatch(/^Erfundene-Beispieldaten_/);
  });

  it('is small', async () => {
    expect((await stat(SAMPLE)).size).toBeLessThan(7_200_000);
    const lists = await Promise.all((await readdir(SAMPLE_TENDERS)).map((list) => stat(join(SAMPLE_TENDERS, list))));
    expect(lists.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(100_000);
  });

  it('has all types with their elements', async () => {
    const fields = await currentFields();
    expect(new Set(sample.map(({ name }) => typeOf(name)))).toEqual(new Set(fields.map(({ file }) => file)));
    const missing = fields.filter(
      ({ file, record, field }) =>
        !sample.some(
          ({ name, text }) => typeOf(name) === file && text.includes(`<${record}>`) && text.includes(`<${field}>`),
        ),
    );
    expect(missing).toEqual([]);
  });

  it('is UTF-16 with byte order mark, declaration and root, all on one line', () => {
    for (const { name, bytes, text } of sample) {
      expect(bytes.readUInt16LE(0), name).toBe(0xfeff);
      expect(text.startsWith(`<?xml version="1.0" encoding="UTF-16"?><${typeOf(name)}>`), name).toBe(true);
      expect(text.endsWith(`</${typeOf(name)}>`), name).toBe(true);
      expect(/>\s+</.test(text), name).toBe(false);
    }
  });

  it('is stamped at night on the day of the export', () => {
    for (const { modified } of sample) {
      expect(modified.getDate()).toBe(1);
      expect(modified.getHours() * 60 + modified.getMinutes()).toBeGreaterThanOrEqual(60);
      expect(modified.getHours() * 60 + modified.getMinutes()).toBeLessThanOrEqual(130);
    }
  });

  it('numbers parts of at most 1300 records and repeats the last record at borders', () => {
    const parts = sample.filter(({ name }) => typeOf(name) === 'EinheitenSolar');
    expect(parts.length).toBeGreaterThanOrEqual(10);
    expect(parts.map(({ name }) => name)).toContain('EinheitenSolar_10.xml');
    const numbers = (part: number): string[] =>
      rowsOf(
        parts.filter(({ name }) => name.includes(`_${part}.`)),
        'EinheitenSolar',
      ).map((row) => row.EinheitMastrNummer!);
    expect(numbers(2)[0]).toBe(numbers(1).at(-1));
    for (let part = 1; part < parts.length; part++) expect(numbers(part).length).toBeGreaterThan(1290);
    for (let part = 1; part <= parts.length; part++) expect(numbers(part).length).toBeLessThanOrEqual(1300);
    expect(sample.map(({ name }) => name)).toContain('EinheitenKernkraft.xml');
    expect(sample.map(({ name }) => name)).toContain('GeloeschteUndDeaktivierteMarktakteure_1.xml');
  });
});

describe('malformed content', () => {
  it('occurs, and a strict parser reads every other member', () => {
    const broken = sample.filter(({ text }) => XMLValidator.validate(text) !== true);
    expect(broken.length).toBeGreaterThanOrEqual(1);
    expect(broken.length).toBeLessThanOrEqual(3);
  });

  it('is omitted with --clean', async () => {
    const out = join(await temporaryFolder(), 'clean.zip');
    const words = ['generate', '--units', '2000', '--clean', '--workers', '1', '--out', out];
    expect(await runGenerator(words)).toMatchObject({ code: 0 });
    for (const { text } of await membersOf(out)) {
      expect(XMLValidator.validate(text)).toBe(true);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the test looks for
      expect(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)).toBe(false);
    }
  });
});

describe('references', () => {
  const cases: [file: string, field: string, target: string, key: string][] = [
    ['EinheitenSolar', 'AnlagenbetreiberMastrNummer', 'Marktakteure', 'MastrNummer'],
    ['EinheitenStromSpeicher', 'AnlagenbetreiberMastrNummer', 'Marktakteure', 'MastrNummer'],
    ['EinheitenSolar', 'LokationMaStRNummer', 'Lokationen', 'MastrNummer'],
    ['EinheitenStromSpeicher', 'LokationMaStRNummer', 'Lokationen', 'MastrNummer'],
    ['EinheitenSolar', 'EegMaStRNummer', 'AnlagenEegSolar', 'EegMaStRNummer'],
    ['EinheitenStromSpeicher', 'EegMaStRNummer', 'AnlagenEegSpeicher', 'EegMaStRNummer'],
    ['EinheitenStromSpeicher', 'SpeMastrNummer', 'AnlagenStromSpeicher', 'MaStRNummer'],
    ['EinheitenVerbrennung', 'KwkMaStRNummer', 'AnlagenKwk', 'KwkMastrNummer'],
    ['EinheitenWind', 'GenMastrNummer', 'EinheitenGenehmigung', 'GenMastrNummer'],
    ['Netzanschlusspunkte', 'LokationMaStRNummer', 'Lokationen', 'MastrNummer'],
    ['Netzanschlusspunkte', 'NetzbetreiberMaStRNummer', 'Marktakteure', 'MastrNummer'],
    ['Netzanschlusspunkte', 'NetzMaStRNummer', 'Netze', 'MastrNummer'],
    ['Netzanschlusspunkte', 'BilanzierungsgebietNetzanschlusspunktId', 'Bilanzierungsgebiete', 'Id'],
  ];

  it.each(cases)('%s.%s', (file, field, target, key) => {
    const targets = keysOf(rows(target), key);
    const references = rows(file).flatMap((row) => row[field] ?? []);
    const dangling = references.filter((number) => !targets.has(number));
    expect(references.length).toBeGreaterThan(20);
    expect(dangling.length).toBeLessThanOrEqual(Math.max(5, references.length * 0.02));
  });

  it('dangle in a few places', () => {
    const actors = keysOf(rows('Marktakteure'), 'MastrNummer');
    expect(
      rows('EinheitenSolar').filter((row) => !actors.has(row.AnlagenbetreiberMastrNummer!)).length,
    ).toBeGreaterThan(0);
  });

  it('omit the location while a unit is planned', () => {
    const planned = UNIT_FILES.flatMap(rows).filter((row) => row.EinheitBetriebsstatus === '31');
    expect(planned.length).toBeGreaterThan(20);
    for (const row of planned) {
      expect(row.LokationMaStRNummer).toBeUndefined();
      expect(row.Inbetriebnahmedatum).toBeUndefined();
      expect(row.GeplantesInbetriebnahmedatum).toBeDefined();
    }
  });

  it('name the storage unit at the location of its solar unit', () => {
    const shared = rows('Lokationen').filter((row) => row.VerknuepfteEinheitenMaStRNummern!.includes(', '));
    const storage = keysOf(rows('EinheitenStromSpeicher'), 'EinheitMastrNummer');
    const solar = keysOf(rows('EinheitenSolar'), 'EinheitMastrNummer');
    const both = shared.filter(({ VerknuepfteEinheitenMaStRNummern: list = '' }) => {
      const numbers = list.split(', ');
      return numbers.some((number) => storage.has(number)) && numbers.some((number) => solar.has(number));
    });
    expect(both.length).toBeGreaterThan(2000);
  });
});

describe('values', () => {
  it('hide address and coordinates up to 30 kW', () => {
    const units = UNIT_FILES.flatMap(rows);
    const hidden = units.filter((row) => Number(row.Bruttoleistung) <= 30);
    expect(hidden.length).toBeGreaterThan(9000);
    for (const row of hidden) {
      for (const field of [
        'Laengengrad',
        'Breitengrad',
        'Strasse',
        'Hausnummer',
        'Gemarkung',
        'FlurFlurstuecknummern',
      ]) {
        expect(row[field], row.EinheitMastrNummer).toBeUndefined();
      }
    }
    expect(units.filter((row) => row.Laengengrad !== undefined).length).toBeGreaterThan(500);
  });

  it('keep natural persons without name and address', () => {
    const actors = rows('Marktakteure').filter((row) => row.Marktfunktion === '2');
    const persons = actors.filter((row) => row.Personenart === '518');
    expect(persons.length / actors.length).toBeGreaterThan(0.8);
    for (const row of persons) {
      for (const field of ['Firmenname', 'MarktakteurNachname', 'Strasse', 'Ort', 'Postleitzahl', 'Email'])
        expect(row[field]).toBeUndefined();
    }
  });

  it('have the carriers of the register', () => {
    const counts = Object.fromEntries(UNIT_FILES.map((file) => [file, keysOf(rows(file), 'EinheitMastrNummer').size]));
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(Math.abs(total / 19_400 - 1)).toBeLessThan(0.01);
    expect(counts.EinheitenSolar! / total).toBeGreaterThan(0.64);
    expect(counts.EinheitenStromSpeicher! / total).toBeGreaterThan(0.28);
    expect(counts.EinheitenKernkraft).toBe(6);
  });

  it('carry the quirks of free text and lists', () => {
    const all = sample.map(({ text }) => text).join('');
    for (const quirk of [
      '＆',
      '&amp;',
      '&#13;&#10;',
      '  ',
      '<Adresszusatz></Adresszusatz>',
      '; SEE',
      ', SEE',
      '<DatumDerDatenmeldung>',
    ]) {
      expect(all.includes(quirk), quirk).toBe(true);
    }
    expect(/<Zuschlagsnummer>[^<]*,</.test(all)).toBe(true);
    expect(/<(Postleitzahl)>(A|DK|L|CH)-/.test(all)).toBe(true);
    expect(/\.\d{7}</.test(all) && /T\d\d:\d\d:\d\d</.test(all)).toBe(true);
    expect(/[\ud800-\udbff]/.test(all)).toBe(true);
  });

  it('have numbers of three letters, a nine and eleven digits', () => {
    for (const file of UNIT_FILES) for (const row of rows(file)) expect(row.EinheitMastrNummer).toMatch(/^SEE9\d{11}$/);
  });

  it('list most deleted units without keeping them in their files', () => {
    const units = new Set(UNIT_FILES.flatMap((file) => [...keysOf(rows(file), 'EinheitMastrNummer')]));
    const deleted = rows('GeloeschteUndDeaktivierteEinheiten').map((row) => row.EinheitMastrNummer!);
    const still = deleted.filter((number) => units.has(number));
    expect(deleted.length).toBeGreaterThan(80);
    expect(still.length).toBeLessThan(deleted.length / 10);
  });
});
