import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { COMMANDS } from '../../api/admin/commands.ts';
import { execute } from '../../api/admin/execution/execute.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { type Contact, putContacts } from '../../sql/org/records/contacts.ts';
import { sql } from '../../sql/org/statement.ts';
import { type OrgStore, openOrgStore } from '../../sql/org/store.ts';
import { runCommandLine } from '../api/admin/console.ts';
import { contactOf, ENCRYPTION_KEY, TEST_KEYS } from '../support/contacts.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';
import { openFresh, POSTGRES, PREPARED, written } from '../support/store-engines.ts';

/**
 * Personal fields of a contact are in the answer of GET /v1/contacts and in the output of commands, and nowhere else.
 * One contact is made, changed, searched, exported and asked for in every wrong way; then its fields are looked for in
 * everything that the service writes.
 */

const PLANTED = {
  name: 'Xaveria Quastenflosser',
  vorname: 'Xaveria',
  nachname: 'Quastenflosser',
  email: 'xaveria.quastenflosser@planted.example',
  telefon: '+49 6431 77665544',
  firma: 'Zwölfender Quellwerke',
  position: 'Oberquellmeisterin',
};

/** Texts that must be nowhere: each field, words of it, and both as an address encodes them. */
const TRACES = [
  ...Object.values(PLANTED),
  'Quastenflosser',
  'Xaveria',
  '77665544',
  'planted.example',
  'Quellwerke',
].flatMap((text) => [text, encodeURIComponent(text), text.toLowerCase(), text.replaceAll(' ', '+')]);

/** The first trace in a text; null for none. */
const traceIn = (text: string): string | null => TRACES.find((trace) => text.includes(trace)) ?? null;

let url: string;
let settings: Settings;
let store: OrgStore;
let service: OwnSubject;
let key: string;
let organisation: string;
const state = temporaryFolder();
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

const run = (words: readonly string[], input?: string) =>
  runCommandLine(words, (command, raw) => execute(command, raw, { store, settings, log }), input);

/** Runs a command that has to succeed. */
async function done(words: readonly string[], input: object | string): Promise<unknown> {
  const { code, out, err } = await run([...words, '--json'], typeof input === 'string' ? input : JSON.stringify(input));
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

const problems: string[] = [];

async function ask(method: string, path: string): Promise<void> {
  const answer = await service.send(method, path, { headers: withKey(key) });
  if (answer.status >= 400) problems.push(answer.text);
}

beforeAll(async () => {
  url = await preparedStore();
  settings = readSettings({ STATE_DIR: state.path, ORG_STORE_URL: url, ENCRYPTION_KEYS: ENCRYPTION_KEY });
  store = await openOrgStore(settings, log);
  await store.migrate('apply');
  service = await serveOwnFixture({ METRICS_PORT: '0', ENCRYPTION_KEYS: ENCRYPTION_KEY }, store, log);
  const made = await makeOrganisation(store, { externalId: 'werk' });
  organisation = made.id;
  key = (await makeKey(store, made)).text;
});
afterAll(async () => {
  await service.stop();
  await store.close();
  state.remove();
});

describe('personal fields are', () => {
  beforeAll(async () => {
    const { data: contact } = (await done(['contacts', 'create', 'werk', '-'], { art: 'PERSON', ...PLANTED })) as {
      data: { id: string };
    };
    await done(['contacts', 'change', 'werk', contact.id, '-'], { position: `Stellvertretende ${PLANTED.position}` });
    const header = Object.keys(PLANTED).join(';');
    const line = Object.values(PLANTED).join(';');
    await done(['contacts', 'import', 'werk', '-'], `art;${header}\nPERSON;${line}\n`);
    await done(['contacts', 'import', 'werk', '-', '--dry-run'], `art;${header}\nFUNCTION;${line}\n`);
    await done(['contacts', 'rekey'], '');
    await done(['contacts', 'confirm', 'werk', contact.id], '');
    const document = await done(['export', 'werk'], '');
    await done(['import', '-'], JSON.stringify(document));
    expect(JSON.stringify(document)).toContain(PLANTED.email);

    const words = [PLANTED.name, PLANTED.email, PLANTED.telefon, PLANTED.firma].map(encodeURIComponent);
    for (const word of words) {
      await ask('GET', `/v1/contacts?suche=${word}`);
      await ask('GET', `/v1/contacts?suche=${word}&limit=0`);
      await ask('GET', `/v1/contacts?suche=${word}&suche=${word}`);
      await ask('GET', `/v1/contacts?suche=${'%20'.repeat(190)}${word}`);
      await ask(
        'GET',
        `/v1/contacts?suche=${Array(12)
          .fill(0)
          .map((_, index) => `${word}${index}`)
          .join('+')}`,
      );
      await ask('GET', `/v1/contacts?kind=${word}&limit=${word}&cursor=${word}&format=${word}`);
      await ask('POST', `/v1/contacts?suche=${word}`);
      await ask('GET', `/v1/contacts/?suche=${word}`);
      await ask('GET', `/v1/contact?suche=${word}`);
    }
    const { cursor } = (await service.get('/v1/contacts?limit=1', withKey(key))).json.meta;
    await ask('GET', `/v1/contacts?limit=1&cursor=${cursor}`);
    await ask('GET', `/v1/contacts?kind=PERSON&cursor=${cursor}`);
    // Rows of reads come into the audit log soon after their answer.
    await sleep(300);
  });

  test('answered to the organisation, which shows that they were stored', async () => {
    const { json } = await service.get('/v1/contacts?suche=quastenflosser', withKey(key));
    expect(json.data.map(({ email, telefon }: Record<string, string>) => [email, telefon])).toEqual(
      Array(2).fill([PLANTED.email, PLANTED.telefon]),
    );
  });

  test('in no line of the log, at any level', async () => {
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter((line) => traceIn(line) !== null)).toEqual([]);
  });

  test('in no row of the audit log, which keeps the calls without them', async () => {
    // Nor in names of parameters and in paths, where they stand only by mistake.
    const name = encodeURIComponent(PLANTED.nachname);
    await service.get(`/v1/contacts?${name}=1`, withKey(key));
    await service.get(`/v1/contacts?${name}`, withKey(key));
    await service.get(`/v1/contacts/${name}`, withKey(key));
    await sleep(300);
    const rows = await store.autocommit(z.looseObject({ query: z.string().nullable() }), sql`SELECT * FROM audit_log`);
    expect(traceIn(JSON.stringify(rows))).toBeNull();
    const queries = rows.map(({ query }) => query);
    expect(queries).toEqual(expect.arrayContaining(['suche=***&limit=***', 'suche=***&suche=***', '***=***', '***']));
    expect(lines.filter((line) => traceIn(line) !== null)).toEqual([]);
  });

  test('in no hash of a query, by which a guess could be confirmed', async () => {
    const hashes = await store.autocommit(
      z.strictObject({ hash: z.string() }),
      sql`SELECT DISTINCT query_hash AS hash FROM audit_log WHERE path = '/v1/contacts' AND status = 200 AND query_hash IS NOT NULL`,
    );
    await service.get('/v1/contacts?suche=eins', withKey(key));
    await service.get('/v1/contacts?suche=zwei', withKey(key));
    await sleep(300);
    const after = await store.autocommit(
      z.strictObject({ hash: z.string() }),
      sql`SELECT DISTINCT query_hash AS hash FROM audit_log WHERE path = '/v1/contacts' AND status = 200 AND query_hash IS NOT NULL`,
    );
    expect(after).toEqual(hashes);
  });

  test('in no problem document', () => {
    expect(problems.length).toBeGreaterThan(30);
    expect(problems.filter((text) => traceIn(text) !== null)).toEqual([]);
  });

  test('in no metric', async () => {
    expect(traceIn(await (await fetch(service.metricsUrl!)).text())).toBeNull();
  });

  test('in no message of a command that refuses them', async () => {
    const faulty = [
      ['art,name,email,telefon', `PERSON,${PLANTED.name},${PLANTED.email} kaputt,${PLANTED.nachname}`],
      ['art,name,anrede', `FUNCTION,${PLANTED.name},HERR`],
      ['art,name', `PERSON,"${PLANTED.name}`],
      ['art,name', `PERSON,${PLANTED.name},${PLANTED.firma}`],
      [PLANTED.name, PLANTED.firma],
    ].map((file) => run(['contacts', 'import', 'werk', '-'], file.join('\n')));
    const documents = [
      `{"art": "PERSON", "name": ${PLANTED.name}}`,
      JSON.stringify({ art: PLANTED.name, name: `${PLANTED.name}\n`, email: PLANTED.name, anrede: PLANTED.name }),
    ].map((document) => run(['contacts', 'create', 'werk', '-'], document));
    for (const { code, err, out } of await Promise.all([...faulty, ...documents])) {
      expect([code, out, traceIn(err)], err).toEqual([5, '', null]);
    }
  });

  test('in no argument of a command, as the list of processes shows those', () => {
    const parameters = COMMANDS.filter(({ name }) => name.startsWith('contacts ')).flatMap(({ name, parameters }) =>
      Object.entries(parameters).map(([of, parameter]) => ({ name, of, ...parameter })),
    );
    const free = parameters.filter(
      ({ kind, schema }) =>
        ['argument', 'rest', 'option'].includes(kind) &&
        [PLANTED.nachname, [PLANTED.nachname]].some((value) => schema.safeParse(value).success),
    );
    expect(parameters.length).toBeGreaterThan(10);
    expect(new Set(free.map(({ of }) => of))).toEqual(new Set(['organisation']));
  });

  test('encrypted in every file of the store, as far as they are e-mail and telephone', async () => {
    await store.autocommit(z.unknown(), written('CHECKPOINT')).catch(() => {});
    const folder = url.slice('pglite:'.length);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const found = files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = readFileSync(path);
      return [PLANTED.email, 'planted.example', PLANTED.telefon, '77665544', ENCRYPTION_KEY]
        .filter((text) => content.includes(text))
        .map((text) => `${path}: ${text}`);
    });
    expect(found).toEqual([]);
    // The name is not encrypted, which shows that the files have the contact at all, the WAL among them.
    const holders = files.filter((entry) =>
      readFileSync(join(entry.parentPath, entry.name)).includes(PLANTED.nachname),
    );
    expect(holders.map(({ parentPath }) => parentPath)).toEqual(
      expect.arrayContaining([expect.stringMatching(/pg_wal/)]),
    );
    expect(organisation).toBeTypeOf('string');
  });
});

describe.each([PREPARED, POSTGRES].filter(({ here }) => here))('errors of the store: $name', (engine) => {
  test('repeat no value of a row, with all their properties', async () => {
    const own = await openFresh(engine);
    const { id } = await makeOrganisation(own);
    const faulty: Partial<Contact>[] = [
      { salutation: 'FRAU', kind: 'FUNCTION' },
      { kind: 'NIEMAND' as Contact['kind'] },
      { firstName: `${PLANTED.name}\0` },
    ];
    for (const choices of faulty) {
      const contact = contactOf({ name: PLANTED.name, firstName: PLANTED.vorname, ...choices });
      const error = await own
        .asOperator((session) => session.run(putContacts(id, [contact], TEST_KEYS)))
        .then(() => null)
        .catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(Error);
      expect(traceIn(inspect(error, { depth: 10 })), inspect(error)).toBeNull();
    }
    await own.close();
  });
});
