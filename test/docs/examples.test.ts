import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_CONNECTION } from '../../api/connections/connection.ts';
import { EXAMPLE_FIELD } from '../../api/custom-fields/definition.ts';
import { type Example, exampleFile } from '../../api/docs/openapi/examples.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { CODES } from '../../api/problem/codes.ts';
import { EXAMPLE_FILTER } from '../../api/saved-filters/saved-filter.ts';
import { EXAMPLE_ENDPOINT } from '../../api/webhooks/endpoint.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { type CustomFieldRow, putCustomFields } from '../../sql/org/records/custom-fields.ts';
import { putSavedFilters } from '../../sql/org/records/saved-filters.ts';
import { publishSample } from '../support/built.ts';
import { ENCRYPTION_KEY, makeContacts } from '../support/contacts.ts';
import { makeField } from '../support/custom-fields.ts';
import { GIVEN_ANEW } from '../support/example-records.ts';
import { type FailingStore, openFailingStore, STORE_UNREACHABLE } from '../support/failing-store.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { pathOf } from '../support/requests.ts';
import { type OwnSubject, type Subject, serve, subject } from '../support/service.ts';
import { openField } from '../support/shared-fields.ts';
import { makeEndpoint } from '../support/webhooks.ts';
import { writeExamples } from './examples/channel.ts';
import { connectExamples } from './examples/connected.ts';
import { storeExampleEvents } from './examples/events.ts';
import { recorded } from './examples/recorded.ts';
import { shareExamples } from './examples/shared.ts';

/**
 * The examples of the OpenAPI document are what the service answers over the sample. `npm test --
 * test/docs/examples.test.ts -u` writes them anew; requests and titles are written by hand.
 */

/** Operations whose answers tell of calls before them come first, or last. */
const FIRST = [
  'me.show',
  'usage.show',
  'keys.list',
  'contacts.list',
  'portfolio.put',
  'custom-fields.put',
  'webhooks.delete',
];
const LAST = ['audit.list'];
const place = (id: string): number =>
  FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length + (LAST.includes(id) ? 1 : 0);
const operations = OPERATIONS.toSorted((one, other) => place(one.id) - place(other.id));

/** Fields under the ids that the examples name. */
const exampleFields = (now: string): CustomFieldRow[] =>
  [
    { name: 'Pachtvertrag', type: 'TEXT', shared: true } as const,
    { name: 'Leistungen', type: 'DROPDOWN' as const, multiple: true, choices: ['Wartung', 'Direktvermarktung'] },
    { name: 'Nächste Revision', type: 'DATE' } as const,
    { name: 'Prüfbericht', type: 'TEXT', filledByPartner: true } as const,
  ].map((field, index) => ({
    id: `0199c2a4-7c1b-4d52-9f0e-00000000000${index + 1}`,
    multiple: false,
    choices: [],
    filledByPartner: false,
    shared: false,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
    ...field,
  }));

const warehouse = temporaryFolder();
let service: OwnSubject;
let organisation: OrganisationRow;
/** The example that tells of a service whose store is gone, and such a service. */
const DEGRADED = 'degraded';
let broken: FailingStore;
let degraded: OwnSubject;

beforeAll(async () => {
  await publishSample(warehouse.path);
  service = await serve(warehouse.path, { TODAY: '2026-11-01', ENCRYPTION_KEYS: ENCRYPTION_KEY });
  broken = await openFailingStore();
  degraded = await serve(warehouse.path, {}, broken);
  organisation = await makeOrganisation(service.store, { limits: {}, quota: 100_000 });
  const saved = {
    id: EXAMPLE_FILTER,
    name: 'Wind ab 3 MW',
    kind: 'table',
    criteria: { einheitTyp: ['wind'], leistungMinKw: 3000 },
  } as const;
  const now = new Date().toISOString();
  await service.store.asOperator((session) =>
    session.run(putSavedFilters(organisation.id, [{ ...saved, view: null, createdAt: now, updatedAt: now }])),
  );
  const partner = await connectExamples(service.store, organisation);
  await writeExamples(service.store, organisation, partner);
  await shareExamples(service.store, partner);
  await storeExampleEvents(service.store, organisation, service.url);
  await makeEndpoint(service.store, organisation.id, { id: EXAMPLE_ENDPOINT, description: 'Leitstand' });
  await makeEndpoint(service.store, organisation.id, { id: EXAMPLE_ENDPOINT.replace(/1$/, '2') });
  const company = 'Stadtwerke Musterstadt';
  await makeContacts(service.store, organisation.id, [
    { name: 'Leitwarte', kind: 'FUNCTION', telephone: '+49 30 5550 100', company },
    {
      name: 'Muster, Erika',
      firstName: 'Erika',
      lastName: 'Muster',
      salutation: 'FRAU',
      email: 'erika.muster@example.org',
      company,
      position: 'Betriebsführung',
      origin: 'IMPORT',
    },
  ]);
  const own = exampleFields(now);
  await service.store.asOperator((session) => session.run(putCustomFields(organisation.id, own)));
  const asking = { ...own[3]!, ownerId: organisation.id };
  await openField(service.store, EXAMPLE_CONNECTION, asking, { active: false });
  for (const resource of ['alerts', 'contacts', 'keys', 'mailboxes', 'shares'])
    await GIVEN_ANEW[resource]?.(service.store, organisation);
  await makeField(service.store, organisation, { id: EXAMPLE_FIELD, name: 'Vertrag', retiredAt: now });
});
afterAll(async () => {
  await service?.stop();
  await degraded?.stop();
  await broken?.close();
  warehouse.remove();
});

describe.each(operations)('$id', (operation) => {
  const file = exampleFile(operation.id);
  /** As they were written: a new one has no answer yet. */
  const written: Readonly<Record<string, Pick<Example, 'title' | 'request'>>> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};

  // The calls of a key in a minute are limited, and the examples of all operations are more.
  let caller: Subject;
  beforeAll(async () => {
    caller = subject(service.url, (await makeKey(service.store, organisation)).text);
  });

  test('answers its examples as they are shown, one of them well, and problems under their codes', async () => {
    const now: Record<string, Example> = {};
    for (const [name, { title, request }] of Object.entries(written)) {
      const address =
        pathOf(operation, request.path) + (request.query === undefined ? '' : `?${encodeURI(request.query)}`);
      const ask = (subject: Subject) =>
        subject.send(operation.method, address, {
          headers: {
            ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...request.headers,
          },
          ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        });
      const answer = await (name === DEGRADED ? broken.failing(STORE_UNREACHABLE, () => ask(degraded)) : ask(caller));
      now[name] = { title, request, answer: recorded(operation.id, answer, service.url) };
    }
    const answers = Object.entries(now).map(([name, { answer }]) => ({ name, answer }));
    expect(
      answers.some(({ answer }) => answer.status < 300),
      `${operation.id} needs an example of an answer`,
    ).toBe(true);
    for (const { name, answer } of answers) {
      const isProblem = answer.media === 'application/problem+json';
      expect(Object.hasOwn(CODES, name), name).toBe(isProblem);
      if (isProblem) expect((answer.body as { code: string }).code).toBe(name);
    }
    await expect(`${JSON.stringify(now, null, 2)}\n`).toMatchFileSnapshot(file.pathname);
  });
});
