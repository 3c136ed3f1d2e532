import { randomUUIDv7 } from 'node:crypto';
import { insertShare } from '../../sql/org/shares.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { makeThread, makeUser } from '../support/channel.ts';
import { connect } from '../support/connections.ts';
import { makeContacts } from '../support/contacts.ts';
import { makeField } from '../support/custom-fields.ts';
import { ownFields } from '../support/custom-fields-client.ts';
import { storeAlertEvent } from '../support/events.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, type Portfolio, portfolioOf, unit } from '../support/portfolio.ts';
import { withKey } from '../support/requests.ts';
import { saveFilter } from '../support/saved-filters.ts';
import type { OwnSubject } from '../support/service.ts';
import { shareFixture } from '../support/shares.ts';
import { makeEndpoint } from '../support/webhooks.ts';

/** Organisations of equal rights, each with records that no other may learn of (isolation.test.ts). */

export interface Member {
  readonly id: string;
  /** Its key. */
  readonly key: string;
  readonly prefix: string;
  readonly portfolio: Portfolio;
  /** Ids of its connections to a third organisation, the first of which has units in scope. */
  readonly connections: readonly string[];
  /** Id of a thread on the first of them, in which its user has written. */
  readonly thread: string;
  /** Id of a user. */
  readonly user: string;
  /** A field of its own. */
  readonly fieldId: string;
  /** Id of an event of an alert. */
  readonly event: string;
  /** Id of a webhook endpoint. */
  readonly endpoint: string;
}

export async function newMember(store: OrgStore, service: OwnSubject, name: string): Promise<Member> {
  const organisation = await makeOrganisation(store, { name });
  const { text, row } = await makeKey(store, organisation, { name: `Schlüssel von ${name}` });
  const connections = [];
  for (const assets of [[unit(1), unit(2)], []]) {
    const partner = await makeOrganisation(store, { name: `Partner von ${name}` });
    connections.push(await connect(store, organisation, partner, { assets }));
  }
  const user = (await makeUser(store, organisation, { name: `Geheimrat von ${name}` })).id;
  const written = { subject: 'Geheimsache', messages: ['Geheim: 47110815', 'Auch geheim'] };
  const participants = [{ user, side: organisation.id }];
  const thread = await makeThread(store, connections[0]!, { ...written, participants });
  await makeThread(store, connections[0]!, written);
  const field = await makeField(store, organisation, { name: `Feld von ${name}` });
  const alert = { id: randomUUIDv7(), name: `Alarm von ${name}`, template: 'NEW_UNIT' } as const;
  const event = await storeAlertEvent(store, organisation, { alert, mastrNumbers: [unit(1)] });
  const endpoint = await makeEndpoint(store, organisation.id, { description: `Empfang von ${name}` });
  return {
    id: organisation.id,
    key: text,
    prefix: row.prefix,
    portfolio: portfolioOf(service, text),
    connections,
    thread,
    user,
    fieldId: field.id,
    event: event.id,
    endpoint: endpoint.id,
  };
}

/** The name of its saved filter; it has the id, which answers are compared without. */
export const secretFilterOf = (id: string): string => `Geheimplan Abendroth ${id}`;

/** Makes calls that leave records: an entry, a removed one, a taken key, calls that failed. */
export async function live(
  store: OrgStore,
  service: OwnSubject,
  { id, portfolio, key, fieldId }: Member,
): Promise<void> {
  await makeContacts(store, id, [
    { name: 'Geheimrat Abendroth', email: 'geheim@abendroth.example' },
    { kind: 'FUNCTION', name: 'Geheimdienst Abendroth', telephone: '47110815' },
  ]);
  const externalRefs = { Geheimsystem: 'Vorgang 47110815' };
  await portfolio.put([entry(1, { externalRefs }), entry(2, { externalRefs }), entry(3)], { once: 'taken' });
  const share = shareFixture({ name: 'Geheimblick 47110815' });
  await store.asOrganisation(id, (session) => session.run(insertShare(id, share)));
  await saveFilter(store, id, { name: secretFilterOf(id), criteria: { suche: 'geheim 47110815' } });
  await ownFields(service, key).put(1, [{ defId: fieldId, text: 'Geheimakte 47110815' }]);
  await portfolio.remove([unit(2)], { once: 'taken for a removal' });
  await service.get('/v1/units?limit=geheim', withKey(key));
  await service.get('/v1/usage', withKey(key));
}
