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
  view: { page: 'karte', query: 'ebene=bundesland&traeger=wind' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-02-01T00:00:00.000Z',
} as const;

/** Alerts, as an import takes them; the last one asks for a saved filter that is gone. */
export const ALERTS = [
  { name: 'Neue Parks', template: 'NEW_UNIT', savedFilter: FILTER.name },
  {
    name: 'Signale',
    template: 'SIGNAL_CHANGE',
    signals: ['neu_registriert', 'grossspeicher'],
    criteria: { einheitTyp: ['storage'], leistungMinKw: 0.5 },
    enabled: false,
    enabledAt: '2026-02-01T00:00:00.000Z',
  },
  {
    name: 'Verwaist',
    template: 'NEW_UNIT',
    savedFilter: '0199c2a4-7c1b-7d52-9f0e-00000000f117',
    fault: 'The organisation has no saved filter with the id 0199c2a4-7c1b-7d52-9f0e-00000000f117',
  },
] as const;

/** Fields with their values, as an import takes them. */
export const FIELDS = [
  { name: 'Akte', type: 'LONG_TEXT', shared: true, multiple: true },
  { name: 'Zustand', type: 'DROPDOWN', choices: ['gut', 'a, b'] },
  { name: 'Höhe', type: 'NUMBER' },
  { name: 'Revision', type: 'DATE', filledByPartner: true, retiredAt: '2026-02-01T00:00:00.000Z' },
  { name: 'Anlage', type: 'FILE' },
] as const;

export const VALUES = [
  { field: 'Akte', mastrNumber: 'SEE900000000001', values: ['eins', 'zwei\nZeilen'] },
  { field: 'Zustand', mastrNumber: 'SEE900000000001', values: ['a, b'] },
  { field: 'Höhe', mastrNumber: 'SEE900000000002', values: [-0.1] },
  {
    field: 'Revision',
    mastrNumber: 'SEE900000000001',
    writer: '0199c2a4-7c1b-7d52-9f0e-3a5b8c1d2e4f',
    values: [{ day: '2027-05-01', precision: 'MONTH' }],
    updatedAt: '2026-02-01T00:00:00.000Z',
  },
] as const;

/** Creates an organisation with everything. Returns the text of its key. */
export async function fillOrganisation(admin: Console, name: string): Promise<string> {
  await admin.json(`organisations create ${name} --name Werk --modules all --signals all --alert-templates all`);
  await admin.json(`organisations trial-end ${name} 2090-01-31`);
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
  const own = { format: 1, organisation: { externalId: name, name: 'Werk' } };
  await admin.json(
    'import -',
    JSON.stringify({ ...own, alerts: ALERTS, customFields: FIELDS, customFieldValues: VALUES }),
  );
  return key;
}
