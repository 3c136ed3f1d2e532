import { afterAll, beforeAll, expect, test } from 'vitest';
import { demo } from '../../api/admin/demo.ts';
import { readSettings } from '../../runtime/settings.ts';
import { newEncryptionKey } from '../../sql/org/encryption.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** With the key of the demo every list of an organisation's own data has something in it. */

/** The unit that the demo writes about; the register of this test does not know it. */
const UNIT = 'SEE900721100463';

const state = temporaryFolder();
let service: OwnSubject;
let get: (path: string) => Promise<ServiceResponse>;

beforeAll(async () => {
  const ENCRYPTION_KEYS = newEncryptionKey();
  service = await serveOwnFixture({ ENCRYPTION_KEYS });
  const settings = readSettings({ STATE_DIR: state.path, ENCRYPTION_KEYS });
  const { key } = await demo.run(service.store, { newKey: undefined }, { settings });
  get = (path) => service.get(path, withKey(key ?? ''));
});
afterAll(async () => {
  await service?.stop();
  state.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
const dataOf = async (path: string): Promise<any> => {
  const { status, json } = await get(path);
  expect(status, path).toBe(200);
  return json.data;
};

test('custom fields of every type that the interface shows, with values', async () => {
  const fields = await dataOf('/v1/custom-fields');
  const types = new Set(fields.map(({ typ }: { typ: string }) => typ));
  expect(types).toEqual(new Set(['TEXT', 'LONG_TEXT', 'DROPDOWN', 'URL', 'NUMBER', 'DATE']));
  const values = await dataOf(`/v1/units/${UNIT}/custom-fields`);
  expect(new Set(values.map(({ schreiber }: { schreiber: string }) => schreiber))).toEqual(
    new Set(['eigen', 'gegenseite']),
  );
  expect(values).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ text: 'Muster 4711' }),
      expect.objectContaining({ zahl: 42_000.5 }),
      expect.objectContaining({ datum: '2041-12-01', datumsgenauigkeit: 'MONTH' }),
    ]),
  );
});

test('contacts of both kinds', async () => {
  expect(await dataOf('/v1/contacts')).toMatchObject([
    { art: 'PERSON', name: 'Dr. Erika Muster', email: 'erika@muster.example', status: 'CONFIRMED' },
    { art: 'FUNCTION', name: 'Leitwarte Musterstadt' },
    { art: 'PERSON', name: 'Öz Vorschlag', status: 'SUGGESTED' },
  ]);
});

test('a connection with units, and fields that both sides share and ask for', async () => {
  const [connection] = await dataOf('/v1/connections');
  expect(connection).toMatchObject({ status: 'ACCEPTED', gegenseite: { name: 'Partner der Demo (erfunden)' } });
  const path = `/v1/connections/${connection.id}`;
  expect(await dataOf(path)).toMatchObject({ aktivierteFelder: 6, anlagenAnzahl: 2 });
  expect(await dataOf(`${path}/assets`)).toHaveLength(2);
  const shared = await dataOf(`${path}/shared-fields?anlage=${UNIT}`);
  const seen = shared.map(
    (row: { richtung: string; herkunft: string; besitzer: string; def: { name: string } }) =>
      `${row.def.name}: ${row.richtung} ${row.besitzer} ${row.herkunft}`,
  );
  expect(new Set(seen)).toEqual(
    new Set([
      'Pachtvertrag: SHARE eigen explizit',
      'Pacht im Jahr: SHARE eigen broadcast',
      'Nächste Wartung: REQUEST eigen explizit',
      'Wartungsfirma: REQUEST eigen explizit',
      'Zählernummer: SHARE gegenseite explizit',
      'Zählerstand: REQUEST gegenseite explizit',
    ]),
  );
});

test('threads in both mailboxes, with messages of both sides, edited and deleted ones', async () => {
  const threads = await dataOf('/v1/threads');
  expect(threads).toMatchObject([
    { kategorie: 'ABRECHNUNG', zustellung: { postfach: { name: 'Zentrale' }, allgemein: true } },
    { kategorie: 'TECHNIK', zustellung: { postfach: { name: 'Leitwarte' }, allgemein: false }, nachrichtenAnzahl: 3 },
  ]);
  const { id } = threads[1];
  expect(await dataOf(`/v1/threads/${id}`)).toMatchObject({ gegenseite: { name: 'Partner der Demo (erfunden)' } });
  expect(await dataOf(`/v1/threads/${id}/messages`)).toMatchObject([
    { absender: { eigeneSeite: true, viaApi: true }, geloescht: false },
    { absender: { eigeneSeite: false, person: 'Clara Beispiel' }, bearbeitet: true, anhaenge: [{ name: 'Plan.pdf' }] },
    { geloescht: true, text: null },
  ]);
});

test('a request of the partner that is not answered yet', async () => {
  const [connection] = await dataOf('/v1/connections');
  const open = await dataOf(`/v1/connections/${connection.id}/shared-fields?richtung=REQUEST&anlage=${UNIT}`);
  expect(open.some(({ werte }: { werte: unknown[] }) => werte.length === 0)).toBe(true);
});
