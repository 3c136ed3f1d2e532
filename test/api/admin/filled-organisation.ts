import { randomUUID } from 'node:crypto';
import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { putSavedFilters } from '../../../sql/org/records/saved-filters.ts';
import { connect } from '../../support/connections.ts';
import type { Console } from './console.ts';

/** An organisation that has something of everything, to be exported. */

export const ENTRY = {
  mastrNumber: 'SEE900000000001',
  relationType: 'OPERATOR',
  externalRefs: { sap: '4711' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-02-01T00:00:00.000Z',
  removedAt: null,
} as const;

const REMOVED = {
  ...ENTRY,
  mastrNumber: 'SEE900000000002',
  removedAt: '2026-02-01T00:00:00.000Z',
} as const;

export const FILTER = {
  name: 'Große Windparks',
  kind: 'table',
  criteria: { einheitTyp: ['wind'], leistungMinKw: 3000 },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-02-01T00:00:00.000Z',
} as const;

/** Creates an organisation with everything. Returns the text of its key. */
export async function fillOrganisation(admin: Console, name: string): Promise<string> {
  await admin.json(`organisations create ${name} --name Werk --modules all --signals all --trial-end 2090-01-31`);
  await admin.json(`organisations limits set ${name} standard=120`);
  await admin.json(`users create ${name} anna --name Anna --email anna@werk.example --role owner`);
  const { key } = await admin.json(`keys create ${name} --name Leitwarte --scopes units:read --by anna`);
  const { organisation } = await admin.json(`organisations show ${name}`);
  const entries = [ENTRY, REMOVED].map((entry) => ({ ...entry, id: randomUUID() }));
  await admin.store.asOperator((session) => session.run(putPortfolio(organisation.id, entries)));
  const filters = [{ ...FILTER, id: randomUUID() }];
  await admin.store.asOperator((session) => session.run(putSavedFilters(organisation.id, filters)));
  const partner = { id: randomUUID(), name: 'Partner in einem anderen Speicher' };
  await connect(admin.store, organisation, partner, { assets: [ENTRY.mastrNumber] });
  return key;
}
