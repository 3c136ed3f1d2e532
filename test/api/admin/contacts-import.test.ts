import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cases } from '../../support/cases.ts';
import { type Console, openConsole } from './console.ts';

/** Contacts from a CSV file. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

let made = 0;
let name: string;
beforeEach(async () => {
  made += 1;
  name = `einfuhr-${made}`;
  await admin.json(`organisations create ${name} --name Werk`);
});

const take = (file: string, more = '') => admin.json(`contacts import ${name} -${more}`, file);
const refusal = (file: string) => admin.refusal(`contacts import ${name} -`, file);
const list = () => admin.json(`contacts list ${name}`);

const FILE = `name,art,email,telefon,firma
"Müller, Jörg",PERSON,joerg@werk.example,030 1,"Werk ""Nord"""
Leitwarte,FUNCTION,,030 2,
`;

test('makes contacts of lines, with IMPORT and CONFIRMED where the file says nothing else', async () => {
  expect(await take(FILE)).toEqual({ organisation: name, created: 2, updated: 0, unchanged: 0, dryRun: false });
  expect(await list()).toMatchObject([
    {
      name: 'Leitwarte',
      art: 'FUNCTION',
      email: null,
      telefon: '030 2',
      firma: null,
      herkunft: 'IMPORT',
      status: 'CONFIRMED',
    },
    { name: 'Müller, Jörg', art: 'PERSON', email: 'joerg@werk.example', firma: 'Werk "Nord"', position: null },
  ]);
});

test('a dry run says what would change, and changes nothing', async () => {
  expect(await take(FILE, ' --dry-run')).toMatchObject({ created: 2, dryRun: true });
  expect(await list()).toEqual([]);
});

test('a file can be taken in twice, and a line that stands twice makes one contact', async () => {
  await take(FILE);
  const before = await list();
  expect(await take(FILE)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect(await take(`${FILE}Neu,PERSON,,,\nNeu,PERSON,,,\n`)).toMatchObject({ created: 1, unchanged: 3 });
  expect((await list()).filter((contact: { name: string }) => contact.name !== 'Neu')).toEqual(before);
});

test('a line with an id changes that contact, in the columns of the file', async () => {
  await take(FILE);
  const [warte, joerg] = await list();
  const lines = [`${joerg.id},PERSON,"Müller, Jörg",,`, `${warte.id},FUNCTION,Leitwarte,,030 2`];
  expect(await take(['id,art,name,status,telefon', ...lines].join('\n'))).toMatchObject({ updated: 1, unchanged: 1 });
  const [, after] = await list();
  expect(after).toEqual({ ...joerg, telefon: null, geaendertAm: after.geaendertAm });
  expect(after.geaendertAm > joerg.geaendertAm).toBe(true);
  expect((await list())[0]).toEqual(warte);
});

test.each([
  ['semicolons', 'name;art;firma\r\nA;PERSON;"x;y"\r\n', 'x;y'],
  ['tabs', 'name\tart\tfirma\nA\tPERSON\tx, y\n', 'x, y'],
  ['a byte order mark, quoted names and blank lines', '\ufeff"name","art","firma"\n\n"A","PERSON","z"\n\n', 'z'],
  ['blanks around cells, and no line break at the end', ' name , art , firma\n A , PERSON ,  w ', 'w'],
])('reads %s', async (_, file, company) => {
  expect(await take(file)).toMatchObject({ created: 1 });
  expect(await list()).toMatchObject([{ name: 'A', art: 'PERSON', firma: company }]);
});

describe('an e-mail address', () => {
  const fileWith = (address: string) => `art,name,email\nPERSON,A,${address}\n`;

  test.each([
    ...[
      'a.b-c+d@werk.example',
      "o'neil@netz.werk.example",
      'k&k@werk.example',
      'a@1a.example',
      '_x@xn--mller-kva.example',
    ],
    ...['info@bäckerei-müller.example', 'jörg@werk.example', 'a@werk.xn--p1ai'],
  ])('%s is one', async (address) => {
    expect(await take(fileWith(address))).toMatchObject({ created: 1 });
    expect(await list()).toMatchObject([{ email: address }]);
  });

  test.each([
    ...[
      'a',
      '@werk.example',
      'a@',
      'a@werk',
      'a b@werk.example',
      'a@werk .example',
      'a@werk..example',
      'a..b@werk.example',
    ],
    ...['.a@werk.example', 'a.@werk.example', 'a@-werk.example', 'a@werk.example.', 'a@werk.1', 'a@b@c.example'],
    ...['A <a@werk.example>', 'a@werk.example;b@werk.example', `${'a'.repeat(242)}@werk.example`],
  ])('%s is none', async (address) => {
    expect(await refusal(fileWith(`"${address}"`))).toContain('line 2: email must ');
  });
});

describe('a file with faults', () => {
  test('is refused as a whole, with each fault and the numbers of all lines that have it', async () => {
    const file = [
      'art,name,email,anrede,id',
      'PERSON,Gut,gut@werk.example,,',
      'PERSON,A,keine,,',
      '',
      'FIRMA,B,,,',
      'PERSON,C,keine,,',
      'PERSON,D,auch keine,,',
      'FUNCTION,"E\nF",,,',
      'FUNCTION,G,,HERR,',
      'PERSON,H',
      'PERSON,,,,',
      'PERSON,I,,,4711',
      'PERSON,J,,,019a0f6e-7c1b-7d52-9f0e-000000000001',
      'PERSON,M\u{fffd}ller,,,',
    ].join('\n');
    expect(await refusal(file)).toBe(
      [
        'Nothing was taken in, the file has faults:',
        '  lines 3, 6–7: email must be an e-mail address',
        '  line 5: art must be one of PERSON, FUNCTION',
        '  line 8: name must be one line of Unicode, without control characters',
        '  line 10: anrede is only for art PERSON; a FUNCTION has none',
        '  line 11: has 2 cells, and the header 5',
        '  line 12: name must not be empty',
        '  line 13: id must be a UUID',
        '  line 14: id is that of no contact of the organisation',
        '  line 15: has characters that are not UTF-8; save the file as "CSV UTF-8"',
        '',
      ].join('\n'),
    );
    expect(await list()).toEqual([]);
  });

  test('names every faulty line, however many there are', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `PERSON,Name,${index % 2 === 0 ? 'x' : 'a@b.example'}`);
    const even = Array.from({ length: 1_500 }, (_, index) => 2 * index + 2).join(', ');
    expect(await refusal(['art,name,email', ...lines].join('\n'))).toContain(`lines ${even}: email must be`);
  });

  test('an id twice, and an id of another organisation', async () => {
    await take(FILE);
    const [{ id }] = await list();
    const twice = `id,art,name\n${id},FUNCTION,A\n${id},FUNCTION,B\n`;
    expect(await refusal(twice)).toContain('line 3: id is that of line 2, too');
    await admin.json(`organisations create andere-${made} --name Andere`);
    const foreign = await admin.run(`contacts import andere-${made} -`, `id,art,name\n${id},FUNCTION,A\n`);
    expect(foreign).toMatchObject({ code: 5, err: expect.stringContaining('line 2: id is that of no contact') });
  });

  test.each([
    ['', 'The file is empty'],
    ['Anna,PERSON\n', 'so it is no header'],
    ['name,email\nA,b\n', 'lacks the column art'],
    ['art,name,mail\n', 'has the column "mail", which is none of'],
    ['art,name,mail\n', 'did you mean email?'],
    ['art,name,name\n', 'has the column "name" more than once'],
    ['\u{fffd}\u{fffd}a\0r\0t\0', 'The file is not UTF-8; save it as "CSV UTF-8". Nothing was taken in'],
    ['art,name,pr\u{fffd}fix\n', 'The file is not UTF-8'],
    ['art,name\nPERSON,"A\n', 'is no CSV: line'],
    ['art,name\nPERSON,"A"B\n', 'The file is no CSV: line 2 has a quote'],
    [`art,name\nPERSON,"${'A\n'.repeat(20_000)}"\n`, 'has no end'],
    [`art,name\n${'PERSON,A\n'.repeat(100_001)}`, 'more than 100,000 contacts'],
  ])('%# a file that is none is refused', async (file, message) => {
    expect(await refusal(file)).toContain(message);
  });
});

test('what is taken in from any texts is what was written', async () => {
  const cell = fc
    .string({ unit: fc.constantFrom(...'aÄß"\',; =-+@'), minLength: 1, maxLength: 8 })
    .map((text) => `x${text}x`);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(cell, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(',', ';', '\t'),
      async (names, delimiter) => {
        made += 1;
        name = `einfuhr-${made}`;
        await admin.json(`organisations create ${name} --name Werk`);
        const lines = names.map((text) => ['PERSON', quoted(text), quoted(text)].join(delimiter));
        await take([['art', 'name', 'firma'].join(delimiter), ...lines].join('\n'));
        const found = (await list()).map((contact: { name: string; firma: string }) => [contact.name, contact.firma]);
        expect(found.toSorted()).toEqual(names.map((text) => [text, text]).toSorted());
      },
    ),
    { numRuns: cases(10) },
  );
});
