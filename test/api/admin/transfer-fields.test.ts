import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Console, openConsole } from './console.ts';

/** Documents whose fields, values or contacts break a rule: they are refused as a whole, with the place of each fault. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

const UNIT = 'SEE900000000001';
const PARTNER = '0199c2a4-7c1b-7d52-9f0e-3a5b8c1d2e4f';

const FIELDS = [
  { name: 'Akte', type: 'TEXT', multiple: true },
  { name: 'Stand', type: 'DROPDOWN', choices: ['gut', 'a, b'] },
  { name: 'Seite', type: 'URL' },
  { name: 'Pacht', type: 'NUMBER' },
  { name: 'Revision', type: 'DATE' },
  { name: 'Prüfung', type: 'TEXT', filledByPartner: true },
  { name: 'Scan', type: 'FILE' },
];

let made = 0;
let organisation: { readonly externalId: string; readonly name: string };
beforeEach(async () => {
  made += 1;
  organisation = { externalId: `werk-${made}`, name: 'Werk' };
  const values = [
    { field: 'Akte', mastrNumber: UNIT, values: ['a', 'b'] },
    { field: 'Stand', mastrNumber: UNIT, values: ['gut'] },
  ];
  await take({ customFields: FIELDS, customFieldValues: values });
});

const documentOf = (lists: object) => JSON.stringify({ format: 1, organisation, ...lists });
const take = (lists: object) => admin.json('import -', documentOf(lists));

/** The faults that a document is refused for; what there was stays. */
async function faultsOf(lists: object): Promise<string[]> {
  const before = await admin.json(`export ${organisation.externalId}`);
  const message = await admin.refusal('import -', documentOf(lists));
  expect(await admin.json(`export ${organisation.externalId}`)).toEqual(before);
  return message
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim());
}

describe('values', () => {
  test.each([
    ['Akt', ['a'], 'field names Akt, which is no field of the organisation'],
    ['Scan', ['a'], 'values/0 does not fit: "Scan" is a field of type FILE, which has no values here'],
    ['Pacht', ['7'], 'values/0 must be a number, since "Pacht" is of type NUMBER'],
    ['Akte', ['a', 7], 'values/1 must be a text, since "Akte" is of type TEXT'],
    [
      'Revision',
      ['2027-01-01'],
      'values/0 must be a day such as {"day": "2026-11-01", "precision": "DAY"}, since "Revision" is of type DATE',
    ],
    [
      'Revision',
      [{ day: '2027-02-29' }],
      'values/0 must be a text, a number, or a day such as {"day": "2026-11-01", "precision": "DAY"}',
    ],
    ['Pacht', [1, 2], 'values/1 does not fit: "Pacht" takes one value, and this is another'],
    ['Stand', ['Gut'], 'values/0 does not fit: text has "Gut"; it takes "gut", "a, b"'],
    ['Seite', ['nirgends'], 'values/0 does not fit: text must be an address that begins with https:// or http://'],
    ['Akte', ['a', ''], 'values must not have an empty text'],
    ['Akte', [], 'values must have a value'],
    ['Akte', Array.from({ length: 101 }, () => 'a'), 'values must not have more than 100 values'],
    ['Prüfung', ['a'], 'writer must be the id of a partner, who fills this field'],
  ])('of %s: %j', async (field, values, said) => {
    const faults = await faultsOf({ customFieldValues: [{ field, mastrNumber: UNIT, values }] });
    expect(faults).toEqual([expect.stringContaining(`#/customFieldValues/0/${said}`)]);
  });

  test('of a writer who cannot be that of the field', async () => {
    const { id } = (await admin.json(`organisations show ${organisation.externalId}`)).organisation;
    const by = (field: string, writer: string) => ({ field, mastrNumber: UNIT, values: ['a'], writer });
    expect(await faultsOf({ customFieldValues: [by('Akte', PARTNER), by('Prüfung', id)] })).toEqual([
      '#/customFieldValues/0/writer must be null: no partner fills this field',
      '#/customFieldValues/1/writer must be null for values of the organisation itself',
    ]);
  });

  test('with a month get its first day', async () => {
    const values = [{ day: '2027-05-31', precision: 'MONTH' }];
    await take({ customFieldValues: [{ field: 'Revision', mastrNumber: UNIT, values }] });
    const { customFieldValues } = await admin.json(`export ${organisation.externalId}`);
    expect(customFieldValues).toContainEqual(
      expect.objectContaining({ field: 'Revision', values: [{ day: '2027-05-01', precision: 'MONTH' }] }),
    );
  });
});

test.each([
  [{ name: 'Akte', type: 'URL' }, 'type must stay TEXT: the type of a field never changes'],
  [{ name: 'Akte', type: 'TEXT', filledByPartner: true }, 'filledByPartner must stay as it is'],
  [{ name: 'Akte', type: 'TEXT', multiple: false }, 'multiple must stay on: 1 unit has several values'],
  [{ name: 'Stand', type: 'DROPDOWN', choices: ['a, b'] }, 'choices must keep "gut", which 1 unit has'],
  [{ name: 'Neu', type: 'DROPDOWN' }, 'choices must have at least one value, since the type is DROPDOWN'],
  [{ name: 'Neu', type: 'TEXT', choices: ['a'] }, 'choices must be empty, since the type is TEXT'],
  [{ name: 'Neu', type: 'TEXTE' }, 'type must be one of TEXT, LONG_TEXT'],
])('a field as %j', async (field, said) => {
  expect(await faultsOf({ customFields: [field] })).toEqual([expect.stringContaining(`#/customFields/0/${said}`)]);
});

test('fields beyond 500', async () => {
  const customFields = Array.from({ length: 494 }, (_, index) => ({ name: `F${index}`, type: 'TEXT' }));
  expect(await faultsOf({ customFields })).toEqual([
    '#/customFields would make 501 fields, retired ones included; 500 are the most',
  ]);
});

test('contacts', async () => {
  const person = { kind: 'PERSON', name: 'Erika Muster' };
  const faulty = [
    { ...person, kind: 'FIRMA' },
    { ...person, email: 'keine' },
    { ...person, telephone: 'keine' },
    { ...person, name: ' Erika' },
    { ...person, mail: 'a@werk.example' },
  ];
  expect(await faultsOf({ contacts: faulty })).toEqual([
    '#/contacts/0/kind must be one of PERSON, FUNCTION',
    '#/contacts/1/email must be an e-mail address',
    '#/contacts/2/telephone must have digits',
    '#/contacts/3/name must not begin or end with blanks',
    '#/contacts/4/mail is not a member that is known here; did you mean email?',
  ]);
  const together = [
    { kind: 'FUNCTION', name: 'Leitwarte', salutation: 'HERR' },
    { ...person, id: PARTNER },
    { ...person, id: PARTNER },
  ];
  expect(await faultsOf({ contacts: together })).toEqual([
    '#/contacts/2/id is that of #/contacts/1, too',
    '#/contacts/0/salutation is only for kind PERSON; a FUNCTION has none',
  ]);
  await admin.json(`organisations create andere-${made} --name Andere`);
  const other = { format: 1, organisation: { externalId: `andere-${made}`, name: 'Andere' } };
  const id = randomUUIDv7();
  await admin.json('import -', JSON.stringify({ ...other, contacts: [{ ...person, id }] }));
  expect(await faultsOf({ contacts: [{ ...person, id }] })).toEqual([
    expect.stringContaining('#/contacts/0/id is the id of something else in this store'),
  ]);
});
