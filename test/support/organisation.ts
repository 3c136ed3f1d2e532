import { randomUUIDv7 } from 'node:crypto';
import { SIGNALS } from '../../sql/catalogue/signals.ts';
import { hashSecret, makeApiKey } from '../../sql/org/api-key.ts';
import { type KeyRow, putKeys } from '../../sql/org/keys.ts';
import { type OrganisationRow, putOrganisation } from '../../sql/org/organisations.ts';
import { ALERT_TEMPLATES, MODULES, SCOPES } from '../../sql/org/rights.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Organisations and keys as tests need them. */

/** Everything booked, and limits that no test meets by chance. */
export async function makeOrganisation(
  store: OrgStore,
  choices: Partial<OrganisationRow> = {},
): Promise<OrganisationRow> {
  const now = new Date().toISOString();
  const id = randomUUIDv7();
  const row: OrganisationRow = {
    id,
    externalId: `test-${id}`,
    name: 'Testorganisation',
    modules: Object.keys(MODULES),
    signals: Object.keys(SIGNALS),
    alertTemplates: Object.keys(ALERT_TEMPLATES),
    limits: { standard: 100_000, mutation: 100_000, expensive: 100_000 },
    quota: 10_000_000,
    trialEndsAt: null,
    createdAt: now,
    updatedAt: now,
    ...choices,
  };
  await store.asOperator((session) => session.run(putOrganisation(row)));
  return row;
}

/** A key of the organisation with every scope; its text and what is stored of it. */
export async function makeKey(
  store: OrgStore,
  organisation: { readonly id: string },
  choices: Partial<KeyRow> = {},
): Promise<{ readonly text: string; readonly row: KeyRow }> {
  const { text, prefix, environment, secret } = makeApiKey('test');
  const row: KeyRow = {
    id: randomUUIDv7(),
    prefix,
    environment,
    secretHash: hashSecret(secret),
    name: 'Testschlüssel',
    scopes: Object.keys(SCOPES),
    createdBy: null,
    createdAt: new Date().toISOString(),
    expiresAt: null,
    revokedAt: null,
    ...choices,
  };
  await store.asOperator((session) => session.run(putKeys(organisation.id, [row])));
  return { text, row };
}

/** An organisation and a key of it at once. @returns the text of the key */
export const makeCaller = async (
  store: OrgStore,
  organisation: Partial<OrganisationRow> = {},
  key: Partial<KeyRow> = {},
) => (await makeKey(store, await makeOrganisation(store, organisation), key)).text;
