import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { insertValues } from '../../../sql/org/records/custom-field-values.ts';
import { sql } from '../../../sql/org/statement.ts';
import { connect } from '../../support/connections.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { unit } from '../../support/portfolio.ts';
import { type Console, openConsole } from './console.ts';

/** The commands `fields …`. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

let made = 0;
let name: string;
let organisation: { readonly id: string; readonly name: string };
beforeEach(async () => {
  made += 1;
  name = `werk-${made}`;
  await admin.json(`organisations create ${name} --name Werk --modules all`);
  ({ organisation } = await admin.json(`organisations show ${name}`));
});

const create = async (...words: string[]) => (await admin.json(['fields', 'create', name, ...words])).field;
const refusal = (...words: string[]) => admin.refusal(['fields', ...words]);
const list = () => admin.json(`fields list ${name}`);

/** Texts of the organisation itself in a field of units 1, 2, … */
const fill = (field: { readonly id: string }, ...units: readonly (readonly string[])[]) =>
  admin.store.asOperator((session) =>
    session.run(
      insertValues(
        organisation.id,
        units.map((texts, index) => ({
          fieldId: field.id,
          mastrNumber: unit(index + 1),
          writerId: organisation.id,
          values: texts.map((text) => ({ text, number: null, day: null, dayPrecision: null })),
          updatedAt: '2026-01-01T00:00:00.000Z',
        })),
      ),
    ),
  );

test('fields are made with all they can have, and listed by name with the units that have values', async () => {
  const field = await create(
    'Zustand',
    '--type',
    'DROPDOWN',
    '--choices',
    'gut,"schlecht, gemeldet"',
    '--multiple',
    '--shared',
  );
  expect(field).toMatchObject({
    name: 'Zustand',
    type: 'DROPDOWN',
    multiple: true,
    choices: ['gut', 'schlecht, gemeldet'],
    filledByPartner: false,
    shared: true,
    retiredAt: null,
  });
  await create('Ähre', '--type', 'DATE', '--filled-by-partner');
  await fill(field, ['gut', 'schlecht, gemeldet'], ['gut']);
  expect(await list()).toMatchObject([
    { name: 'Ähre', type: 'DATE', filledByPartner: true, units: 0 },
    { name: 'Zustand', units: 2 },
  ]);
  expect((await admin.run(`fields list ${name}`)).out).toMatch(
    /\nZustand +DROPDOWN +several +itself +yes +2 +- +[0-9a-f-]{36} +gut,"schlecht, gemeldet"\n$/,
  );
});

describe('a field is refused', () => {
  test('under a name that another has, retired or not', async () => {
    const { id } = await create('Akte', '--type', 'TEXT');
    expect(await refusal('create', name, 'Akte', '--type', 'URL')).toContain(`${name} has a field Akte already\n`);
    await admin.json(`fields retire ${name} Akte`);
    expect(await refusal('create', name, 'Akte', '--type', 'URL')).toBe(
      `${name} has a field Akte already, which is retired\nTo take it into use again: npm run admin -- fields restore ${name} ${id}\n`,
    );
  });

  test('with options that do not fit its type', async () => {
    expect(await refusal('create', name, 'A', '--type', 'DROPDOWN')).toBe(
      '--choices must have at least one value, since the type is DROPDOWN\n',
    );
    expect(await refusal('create', name, 'A', '--type', 'TEXT', '--choices', 'a')).toBe(
      '--choices must be empty, since the type is TEXT\n',
    );
  });

  test.each([
    ['a,a', 'must not have a value more than once'],
    ['a,', 'has an empty value'],
    ['"a', 'has a quote that is not closed'],
    [Array.from({ length: 201 }, (_, index) => index).join(), 'must not have more than 200 values'],
  ])('with choices such as %.20s', async (choices, said) => {
    const { code, err } = await admin.run(['fields', 'create', name, 'A', '--type', 'DROPDOWN', '--choices', choices]);
    expect([code, err]).toEqual([2, expect.stringContaining(`--choices ${said}`)]);
  });

  test('beyond 500 of an organisation', async () => {
    await admin.store.asOperator((session) =>
      session.run(sql`
        INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared, created_at, updated_at)
        SELECT gen_random_uuid(), ${organisation.id}::uuid, 'F' || n, 'TEXT', false, '{}', false, false, now(), now()
        FROM generate_series(1, 500) AS n`),
    );
    expect(await refusal('create', name, 'one more', '--type', 'TEXT')).toContain(`${name} has 500 fields`);
  });
});

describe('a change', () => {
  test('keeps what is not named, and says so when there is nothing to do', async () => {
    const field = await create('Akte', '--type', 'TEXT', '--shared');
    const { field: changed } = await admin.json([
      ...'fields change'.split(' '),
      name,
      'Akte',
      '--name',
      'Aktenzeichen',
    ]);
    expect(changed).toEqual({ ...field, name: 'Aktenzeichen', updatedAt: changed.updatedAt });
    const again = await admin.run(['fields', 'change', name, field.id, '--name', 'Aktenzeichen']);
    expect(again.out).toBe(`The field Aktenzeichen of ${name} is as it was.\n`);
    expect(await admin.run(['fields', 'change', name, 'Aktenzeichen'])).toMatchObject({ code: 2 });
  });

  test('may add choices and change their order, but removes none that units have', async () => {
    const field = await create('Zustand', '--type', 'DROPDOWN', '--choices', 'gut,mittel,schlecht');
    await fill(field, ['gut'], ['gut']);
    const choose = (choices: string) => ['change', name, 'Zustand', '--choices', choices];
    await admin.json(['fields', ...choose('neu,gut,mittel')]);
    expect((await list())[0].choices).toEqual(['neu', 'gut', 'mittel']);
    expect(await refusal(...choose('neu'))).toBe('--choices must keep "gut", which 2 units have\n');
    expect((await list())[0].choices).toEqual(['neu', 'gut', 'mittel']);
  });

  test('leaves several values on as long as a unit has them', async () => {
    const field = await create('Schlagwort', '--type', 'TEXT', '--multiple');
    await fill(field, ['a', 'b'], ['c']);
    const single = ['change', name, 'Schlagwort', '--multiple', 'no'];
    expect(await refusal(...single)).toBe('--multiple must stay on: 1 unit has several values\n');
    await admin.store.asOperator((session) => session.run(sql`DELETE FROM custom_field_values WHERE position = 1`));
    expect((await admin.json(['fields', ...single])).field.multiple).toBe(false);
  });

  test('to a name that another field has is refused', async () => {
    await create('A', '--type', 'TEXT');
    await create('B', '--type', 'TEXT');
    expect(await refusal('change', name, 'A', '--name', 'B')).toBe(`${name} has a field B already\n`);
  });

  test('of a field that does not exist names the nearest', async () => {
    await create('Pachtvertrag', '--type', 'TEXT');
    expect(await refusal('change', name, 'Pachtvertag', '--shared', 'yes')).toBe(
      `${name} has no field Pachtvertag; did you mean Pachtvertrag?\nThose it has: npm run admin -- fields list ${name}\n`,
    );
  });
});

describe('connections', () => {
  const counted = z.strictObject({ n: z.int() });
  /** Rows of a field in the tables of connections. */
  const shares = async (fieldId: string) => {
    const tables = sql`SELECT count(*) AS n FROM (
      SELECT field_id FROM connection_fields UNION ALL SELECT field_id FROM connection_releases
      UNION ALL SELECT field_id FROM standing_releases) AS f WHERE field_id = ${fieldId}::uuid`;
    return (await admin.store.autocommit(counted, tables))[0]!.n;
  };

  async function shared() {
    const field = await create('Akte', '--type', 'TEXT', '--shared');
    const partner = await makeOrganisation(admin.store);
    const connection = await connect(admin.store, organisation, partner, { assets: [unit(1)] });
    await admin.store.asOperator(async (session) => {
      await session.run(sql`INSERT INTO connection_fields VALUES
        (${connection}::uuid, ${field.id}::uuid, ${organisation.id}::uuid, 'SHARE', now())`);
      await session.run(sql`INSERT INTO connection_releases VALUES
        (${connection}::uuid, ${field.id}::uuid, ${organisation.id}::uuid, now())`);
      await session.run(sql`INSERT INTO standing_releases VALUES
        (${organisation.id}::uuid, ${field.id}::uuid, ${unit(1)}, now())`);
    });
    return { field, connection };
  }

  test('a field that is released stays shared', async () => {
    await shared();
    expect(await refusal('change', name, 'Akte', '--shared', 'no')).toMatch(
      /^--shared must stay on: the field has 2 releases and is active on 1 connection; withdraw it there first/,
    );
  });

  test('retiring a field withdraws it from all of them, which then have changed', async () => {
    const { field, connection } = await shared();
    const changedAt = async () =>
      (
        await admin.store.autocommit(
          z.strictObject({ at: z.string() }),
          sql`SELECT updated_at AS at FROM connections WHERE id = ${connection}::uuid`,
        )
      )[0]!.at;
    const before = await changedAt();
    expect(await shares(field.id)).toBe(3);
    await admin.json(`fields retire ${name} Akte`);
    expect(await shares(field.id)).toBe(0);
    expect((await changedAt()) > before).toBe(true);
    await admin.json(`fields restore ${name} Akte`);
    expect(await shares(field.id)).toBe(0);
  });
});

test('a retired field keeps its values and comes back with them', async () => {
  const field = await create('Akte', '--type', 'TEXT');
  await fill(field, ['a']);
  expect((await admin.json(`fields retire ${name} Akte`)).field.retiredAt).toEqual(expect.any(String));
  expect((await admin.run(`fields retire ${name} Akte`)).out).toMatch(/ was retired before, on 20/);
  expect(await list()).toMatchObject([{ name: 'Akte', retiredAt: expect.any(String), units: 1 }]);
  await admin.json(`fields restore ${name} ${field.id}`);
  expect(await list()).toMatchObject([{ name: 'Akte', retiredAt: null, units: 1 }]);
  expect((await admin.run(`fields restore ${name} Akte`)).out).toBe(`The field Akte of ${name} is in use as before.\n`);
});

test('an unknown organisation and an unknown field are refused', async () => {
  expect(await refusal('list', 'nobody')).toContain('There is no organisation nobody');
  expect(await refusal('retire', name, randomUUIDv7())).toContain(`${name} has no field`);
});
