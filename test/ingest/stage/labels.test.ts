import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../ingest/archive/archive.ts';
import { ArchiveError } from '../../../ingest/archive/archive-error.ts';
import { type ReadCatalogues, readCatalogues } from '../../../ingest/read/catalogues.ts';
import { labelsOf } from '../../../ingest/stage/labels.ts';
import { inFolder } from '../../support/staged.ts';
import { plainDocument, record } from '../../support/xml.ts';

/** The texts behind ids: read from the catalogues and system lists of the export itself. */

const value = (id: string, wert: string, category = '7') =>
  record({ Id: id, Wert: wert, KatalogKategorieId: category });

const VALID: Readonly<Record<string, readonly string[]>> = {
  Katalogkategorien: [record({ Id: '7', Name: 'Bundesland' })],
  Katalogwerte: [value('1403', 'Bayern'), value('84', 'Niedersachsen', '99')],
  Marktfunktionen: [record({ Id: '2', Wert: 'Stromnetzbetreiber' })],
};

/** Reads the catalogues of a folder with these files; a text is the whole of its file. */
const read = (files: Readonly<Record<string, readonly string[] | string>>): Promise<ReadCatalogues> =>
  inFolder(async (folder) => {
    for (const [kind, content] of Object.entries({ ...VALID, ...files })) {
      const text = typeof content === 'string' ? content : plainDocument(content, kind);
      writeFileSync(join(folder, `${kind}.xml`), Buffer.from(`\ufeff${text}`, 'utf16le'));
    }
    return readCatalogues(await openArchive(folder, null));
  });

describe('catalogues', () => {
  it('provide values, system lists, and rows with the names of their categories', async () => {
    const { catalogues, rows } = await read({});
    expect([...catalogues.values]).toEqual([
      [1403, 'Bayern'],
      [84, 'Niedersachsen'],
    ]);
    expect([...catalogues.systemLists.get('SYSTEM Marktfunktionen.xml')!]).toEqual([[2, 'Stromnetzbetreiber']]);
    expect(rows).toEqual([
      { kategorie: 'Bundesland', id: 1403, wert: 'Bayern' },
      { kategorie: 'Kategorie 99', id: 84, wert: 'Niedersachsen' },
      { kategorie: 'Marktfunktionen', id: 2, wert: 'Stromnetzbetreiber' },
    ]);
  });

  it.each([
    ['Wärme &amp; Kälte', 'Wärme & Kälte'],
    ['M\uff06M', 'M&M'],
    [' a  b&#13;&#10;c ', 'a b c'],
    ['&#228;&#x1F300;&quot;', 'ä\u{1f300}"'],
    ['007', '007'],
    ['<![CDATA[a & b]]>', 'a & b'],
    ['true', 'true'],
  ])('resolve and normalise %s', async (raw, label) => {
    const values = `<Katalogwerte><Katalogwert><Id>1</Id><Wert>${raw}</Wert></Katalogwert></Katalogwerte>`;
    expect((await read({ Katalogwerte: values })).catalogues.values.get(1)).toBe(label);
  });

  it('may be any number, with a reference in each', async () => {
    const many = Array.from({ length: 10_000 }, (_, id) => value(String(id), `a & ${id}`));
    const { values } = (await read({ Katalogwerte: many })).catalogues;
    expect(values.size).toBe(10_000);
    expect(values.get(9_999)).toBe('a & 9999');
  });

  it('count the rows that have no id or no text', async () => {
    const { catalogues, members } = await read({
      Katalogwerte: [value('1', 'a'), value('', 'b'), value('x', 'c'), value('2', ' '), record({ Id: '3' })],
    });
    expect([...catalogues.values]).toEqual([[1, 'a']]);
    expect(members.map(({ read: all, refused }) => [all, refused])).toContainEqual([5, 4]);
  });

  it('use the last of repeated elements, like all files', async () => {
    const { catalogues } = await read({ Katalogwerte: ['<E><Id>5</Id><Id>6</Id><Wert>f</Wert></E>'] });
    expect([...catalogues.values]).toEqual([[6, 'f']]);
  });

  it('omit characters that XML forbids', async () => {
    const { catalogues } = await read({ Katalogwerte: [value('1', 'a\u001eb')] });
    expect([...catalogues.values]).toEqual([[1, 'ab']]);
  });

  it('omit what XML forbids, and count it', async () => {
    const controls = Array.from({ length: 0x20 }, (_, code) => code).filter((code) => ![9, 10, 13].includes(code));
    const raw = String.fromCharCode(...controls, 0xfffe);
    const { catalogues, rows, members } = await read({
      Katalogwerte: [`<K><Id>1</Id><Wert>Bay${raw}ern</Wert><KatalogKategorieId>7</KatalogKategorieId></K>`],
      Katalogkategorien: ['<K><Id>7</Id><Name>Bundes\u001fland</Name></K>'],
      Marktfunktionen: ['<M><Id>2</Id><Wert>Strom\u001enetzbetreiber</Wert></M>'],
    });
    expect(catalogues.values.get(1)).toBe('Bayern');
    expect(catalogues.systemLists.get('SYSTEM Marktfunktionen.xml')?.get(2)).toBe('Stromnetzbetreiber');
    expect(rows.map(({ kategorie, wert }) => kategorie + wert)).toEqual([
      'BundeslandBayern',
      'MarktfunktionenStromnetzbetreiber',
    ]);
    expect(
      members.flatMap(({ findings }) => findings.map(({ kind, element, count }) => [kind, element, count])),
    ).toEqual(
      expect.arrayContaining([
        ['zeichen_verboten', 'Wert', controls.length + 1],
        ['zeichen_verboten', 'Name', 1],
        ['zeichen_verboten', 'Wert', 1],
      ]),
    );
  });

  it('refuse ids of more than 32 bits, as findings without their text', async () => {
    const { catalogues, members } = await read({
      Katalogwerte: [
        value('2147483647', 'the largest'),
        value('2147483648', 'one more'),
        value('99999999999999999999', 'many more'),
        value('-1', 'less than nothing'),
        value('', 'none'),
      ],
    });
    expect([...catalogues.values]).toEqual([[2_147_483_647, 'the largest']]);
    expect(members.flatMap(({ findings }) => findings)).toEqual([
      { kind: 'schluessel_ungueltig', element: 'Id', raw: null, note: null, example: null, record: 2, count: 3 },
      { kind: 'schluessel_fehlt', element: 'Id', raw: null, note: null, example: null, record: 5, count: 1 },
    ]);
  });

  it('accept a list whose texts are called Name', async () => {
    const { catalogues } = await read({ Einheitentypen: [record({ Id: '1', Name: 'Windeinheit' })] });
    expect(catalogues.systemLists.get('SYSTEM Einheitentypen.xml')?.get(1)).toBe('Windeinheit');
  });

  it('do not read the former Marktrollen, a table of role holders, as a list', async () => {
    const holder = record({ MastrNummer: 'SNB900000000001AN', MarktakteurMastrNummer: 'SNB900000000001' });
    const { catalogues } = await read({ Marktrollen: [holder] });
    expect(catalogues.systemLists.get('SYSTEM Marktrollen.xml')?.size).toBe(0);
  });

  it('leave damage of the table of role holders to that table', async () => {
    const holder = record({ MastrNummer: 'SNB900000000001AN', MarktakteurMastrNummer: 'SNB900000000001' });
    const { members } = await read({ Marktrollen: [holder, '<E><MastrNummer>x & y</MastrNummer></E>'] });
    expect(members).toHaveLength(3);
  });

  const value1 = '<Katalogwert><Id>1</Id><Wert>a</Wert></Katalogwert>';

  it.each([
    ['without values', { Katalogwerte: [] }, 'has no catalogue values'],
    ['cut off', { Katalogwerte: '<Katalogwerte><Katalogwert><Id>1</Id><Wert>a</Wer' }, 'ends before </Katalogwerte>'],
    ['cut off between records', { Katalogwerte: `<Katalogwerte>${value1}` }, 'ends before </Katalogwerte>'],
    ['with a record that is broken', { Katalogwerte: [value1, '<E><Id>2</Id><Wert>b & c</Wert></E>'] }, 'is broken'],
    ['with an element in a text', { Katalogwerte: ['<E><Id>4</Id><Wert>d<b>e</b></Wert></E>'] }, 'where none belongs'],
    ['that are a declaration', { Marktfunktionen: '<?xml version="1.0"?>' }, 'holds no XML element'],
    [
      'that are another document',
      { Katalogwerte: `<Katalogkategorien>${value1}</Katalogkategorien>` },
      'holds <Katalogkategorien> where <Katalogwerte> belongs',
    ],
    [
      'that are units',
      { Katalogwerte: '<Katalogwerte><E><Ort>x</Ort></E></Katalogwerte>' },
      'holds no element of Katalogwerte, but <Ort>',
    ],
    ['larger than catalogues are', { Katalogkategorien: ' '.repeat(9 << 20) }, 'is too large'],
  ])('are refused %s', async (_, files, reason) => {
    const error = await read(files as Record<string, string>).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(ArchiveError);
    expect((error as Error).message).toContain(reason);
  });
});

describe('labels of an element', () => {
  const catalogues = {
    values: new Map([
      [1403, 'Bayern'],
      [2954, 'Geprüft von uns'],
    ]),
    systemLists: new Map([['SYSTEM Marktfunktionen.xml', new Map([[2, 'Stromnetzbetreiber']])]]),
  };

  it('come from the values, or from the list that the field table names', () => {
    expect(labelsOf('Bundesland', 'Bundesland', catalogues).get(1403)).toBe('Bayern');
    expect(labelsOf('Marktfunktion', 'SYSTEM Marktfunktionen.xml', catalogues).get(2)).toBe('Stromnetzbetreiber');
    expect(labelsOf('Marktfunktion', 'SYSTEM Marktfunktionen.xml', catalogues).get(1403)).toBeUndefined();
    expect(labelsOf('X', 'SYSTEM Fehlt.xml', catalogues).size).toBe(0);
  });

  it('include the flags that were ids until level 24.1, in the words of this export where it has them', () => {
    const labels = labelsOf('NetzbetreiberpruefungStatus', 'X', catalogues);
    expect([labels.get(0), labels.get(1), labels.get(2954), labels.get(1403)]).toEqual([
      'In Prüfung',
      'Geprüft von uns',
      'Geprüft von uns',
      'Bayern',
    ]);
    expect(labelsOf('Bundesland', 'Bundesland', catalogues).get(1)).toBeUndefined();
  });
});
