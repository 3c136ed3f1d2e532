import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workbookOf } from '../../dashboards/web/frame/workbook.ts';
import { readImported } from '../../dashboards/web/pages/portfolio/imported.ts';
import { readSheet } from '../../dashboards/web/sheets/read-sheet.ts';
import { makeField } from '../support/custom-fields.ts';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { HOSTILE, rowsOf, sticksOut } from '../support/dashboard-tables.ts';

/** The portfolio out of a file: read in the browser, within bounds, and shown before anything is written. */

const unit = (nr: number): string => `SEE9000000000${String(nr).padStart(2, '0')}`;

type Row = readonly (string | number | null)[];

async function workbook(head: readonly string[], rows: readonly Row[]): Promise<Buffer> {
  const blob = await workbookOf({ columns: head.map((name) => ({ name })), rows }, []);
  return Buffer.from(await blob.arrayBuffer());
}

const blobOf = (content: Buffer | string): Blob => new Blob([Uint8Array.from(Buffer.from(content))]);

describe('a file', () => {
  test('is read as a table, from a workbook as from CSV in the notations of Excel', async () => {
    const rows = [
      ['MaStR-Nummer', 'Wert'],
      [unit(1), 'ä; ö'],
    ];
    expect(await readSheet(blobOf(await workbook(['MaStR-Nummer', 'Wert'], [[unit(1), 'ä; ö']])))).toEqual(rows);
    const csv = `MaStR-Nummer;Wert\r\n\r\n${unit(1)};"ä; ö"\r\n`;
    expect(await readSheet(blobOf(`\uFEFF${csv}`))).toEqual(rows);
    expect(await readSheet(blobOf(Buffer.from(csv, 'latin1')))).toEqual(rows);
    expect(await readSheet(blobOf(csv.replace('"ä; ö"', 'ä').replaceAll(';', '\t')))).toEqual([
      rows[0],
      [unit(1), 'ä'],
    ]);
  });

  test.each([
    ['of more than 5 MB', () => blobOf('a;b\n'.repeat(1_300_000)), /zu groß/],
    ['of too many rows', () => blobOf('a;b\n'.repeat(10_002)), /zu groß/],
    ['of too many columns', () => blobOf(';a'.repeat(70)), /zu groß/],
    ['that unpacks to more', () => blobOf(zipOf('xl/worksheets/sheet1.xml', Buffer.alloc(60_000_000))), /zu groß/],
    ['that unpacks to more than it says', () => blobOf(zipOf('xl/a.xml', Buffer.alloc(60_000_000), 10)), /zu groß/],
    ['with a cell far away', () => blobOf(sheetZip('<row r="1048576"><c r="XFD1048576"/></row>')), /zu groß/],
    ['that is no table', () => blobOf(zipOf('a.txt', Buffer.from('a'))), /lässt sich nicht lesen/],
    [
      'that is cut off',
      async () => blobOf((await workbook(['A'], [['b']])).subarray(0, 300)),
      /lässt sich nicht lesen/,
    ],
    ['of something else', () => blobOf('\0\0\0'), /lässt sich nicht lesen/],
    ['without anything', () => blobOf(''), /leer/],
  ])('%s is refused in words', async (_, file, words) => {
    await expect(readSheet(await file())).rejects.toThrow(words);
  });
});

const field = (name: string, typ: string, mehrfachwerte = false) => ({ id: `id ${name}`, name, typ, mehrfachwerte });

test('columns are known by their heads; own fields by their names, and each value by the type of its field', () => {
  const fields = [field('Vertrag', 'TEXT', true), field('Pacht', 'NUMBER'), field('Ende', 'DATE')];
  const head = ['Anlage', 'MaStR-Nummer', 'Rolle', 'Kennung CRM', 'vertrag', 'Pacht', 'Ende'];
  const rows = [
    ['Liste', null],
    head,
    ['A', unit(1), 'Investor', 'A-17', 'V1; V2', '1.234,5', '31.12.2030'],
    ['B', unit(2), '', null, '', 7, new Date('2031-01-01')],
    ['C', unit(1), 'Investor'],
    ['D', 'EEG900000000001'],
    ['E', unit(3), 'Chef'],
    ['F', unit(4), null, null, null, 'viel'],
    ['G', unit(5), null, null, null, null, '12/2030'],
  ];
  const read = readImported(rows, fields);
  expect(read).toMatchObject({
    numbers: [unit(1), unit(2), unit(5)],
    roles: new Map([[unit(1), 'INVESTOR']]),
    references: new Map([[unit(1), { CRM: 'A-17' }]]),
    repeated: [unit(1)],
    ignored: ['Anlage'],
    keepsRoles: true,
  });
  const of = (nr: number, name: string, value: object) => ({ mastrNummer: unit(nr), defId: `id ${name}`, ...value });
  expect(read?.values).toEqual([
    of(1, 'Vertrag', { text: 'V1' }),
    of(1, 'Vertrag', { text: 'V2' }),
    of(1, 'Pacht', { zahl: 1234.5 }),
    of(1, 'Ende', { datum: '2030-12-31' }),
    of(2, 'Pacht', { zahl: 7 }),
    of(2, 'Ende', { datum: '2031-01-01' }),
    of(5, 'Ende', { datum: '2030-12-01', datumsgenauigkeit: 'MONTH' }),
  ]);
  expect(read?.faulty.map(({ text, why }) => `${text} ${why}`)).toEqual([
    expect.stringMatching(/^Zeile 6 EEG900000000001: Nummer einer EEG-Anlage/),
    'Zeile 7 „Chef“ ist keine Rolle',
    'Zeile 8 Pacht: „viel“ ist keine Zahl',
  ]);
  expect(readImported([['Name'], ['A']], fields)).toBe(null);
});

describe.skipIf(!hasBrowser)('the page (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  let fieldName: string;
  beforeAll(async () => {
    dashboard = await openDashboard();
    const { store, organisation } = dashboard.service;
    fieldName = (await makeField(store, organisation, { name: HOSTILE })).name;
    await makeField(store, organisation, { name: 'Pacht', type: 'NUMBER' });
  });
  afterAll(() => dashboard?.close());

  const put = (entries: readonly object[]) =>
    dashboard.service.send('POST', '/v1/portfolio', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ entries }),
    });

  test('takes a workbook with own fields: shows what would change, writes it, and has the fields as columns', async () => {
    const { page } = dashboard;
    await put([{ mastrNummer: unit(1), relationType: 'OWNER', externalRefs: { sap: '1' } }]);
    await dashboard.visit('/portfolio?spalten=rolle,kennungen,eigene');
    await page.getByText('Anlagen hinzufügen oder Rollen ändern').click();
    const buffer = await workbook(
      ['MaStR-Nummer', 'Rolle', 'Kennung crm', fieldName, 'Pacht'],
      [
        [unit(1), null, 'A-17', 'V1', 12.5],
        [unit(3), 'Investor', null, 'V3', null],
        ['SEE999999999999', null, null, 'V9', null],
        [unit(7), 'Chef', null, null, null],
      ],
    );
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await page.getByLabel('Oder eine Datei').setInputFiles({ name: 'liste.xlsx', mimeType: type, buffer });
    await page.getByText('Welche Spalten sie haben kann').waitFor();
    await page.getByRole('button', { name: 'Prüfen', disabled: false }).click();
    const form = page.locator('details.add');
    await form.getByText('3 Nummern gefunden').waitFor();
    const said = await form.innerText();
    expect(said).toMatch(/1\sZeile ist nicht lesbar/);
    expect(said).toContain('1 neu, 1 geändert; unverändert 0, nicht möglich 1');
    expect(said).toContain('Werte eigener Felder: 3 neu, 0 geändert; unverändert 0, nicht möglich 1');
    expect((await dashboard.api('/v1/portfolio')).data).toHaveLength(1);
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect([await sticksOut(page), await dashboard.violations()]).toEqual([[], []]);
    }
    await page.getByRole('button', { name: /2\sEinträge und 3\sWerte speichern/ }).click();
    await page.getByText(/Werte eigener Felder: 3 geschrieben/).waitFor();
    await settled(page);
    const { data } = await dashboard.api('/v1/portfolio');
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          mastrNummer: unit(1),
          relationType: 'OWNER',
          externalRefs: { sap: '1', crm: 'A-17' },
        }),
        expect.objectContaining({ mastrNummer: unit(3), relationType: 'INVESTOR' }),
      ]),
    );
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await settled(page);
    // The columns of own fields come after the others.
    await page.getByRole('columnheader', { name: 'Pacht' }).waitFor();
    const [head = [], ...rows] = await rowsOf(page, 'Einheiten im Portfolio');
    expect(head).toEqual(expect.arrayContaining([fieldName, 'Pacht']));
    const first = rows.find((cells) => cells.includes(unit(1))) ?? [];
    expect([first[head.indexOf(fieldName)], first[head.indexOf('Pacht')]]).toEqual(['V1', '12,5']);
    expect(asked.filter((path) => path.includes('custom-fields')).toSorted()).toEqual([
      '/v1/custom-fields',
      '/v1/custom-fields/values',
    ]);
  });

  test('says why a file is not taken, and a CSV changes nothing that it does not name', async () => {
    const { page } = dashboard;
    await dashboard.visit('/portfolio', { size: 'phone', scheme: 'dark' });
    await page.getByText('Anlagen hinzufügen oder Rollen ändern').click();
    const choose = (name: string, text: string | Buffer) =>
      page.getByLabel('Oder eine Datei').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('bombe.xlsx', zipOf('xl/worksheets/sheet1.xml', Buffer.alloc(60_000_000)));
    await page.getByRole('alert').filter({ hasText: 'zu groß' }).waitFor();
    await choose('ohne.csv', 'Name;Ort\nA;B\n');
    await page.getByRole('alert').filter({ hasText: 'Keine Spalte der Datei' }).waitFor();
    expect(await dashboard.violations()).toEqual([]);
    await choose('gut.csv', `Einheit;Pacht\n${unit(1)};12,5\n`);
    await page.getByRole('button', { name: 'Prüfen' }).click();
    const form = page.locator('details.add');
    await form.getByText('1 Nummer gefunden').waitFor();
    expect(await form.innerText()).toContain('0 neu, 0 geändert; unverändert 1, nicht möglich 0');
    expect(await form.getByRole('button', { name: /speichern$/ }).count()).toBe(0);
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});

/** A zip of one member. @param claimed the size that it says it has, unpacked */
function zipOf(name: string, content: Buffer, claimed = content.length): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const [header, at] of [
    [local, 8],
    [entry, 10],
  ] as const) {
    header.writeUInt16LE(8, at);
    header.writeUInt32LE(packed.length, at + 10);
    header.writeUInt32LE(claimed, at + 14);
    header.writeUInt16LE(name.length, at + 18);
  }
  const place = 30 + name.length + packed.length;
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}

const sheetZip = (rows: string): Buffer =>
  zipOf('xl/worksheets/sheet1.xml', Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`));
