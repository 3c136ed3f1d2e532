import { randomUUIDv7 } from 'node:crypto';
import { GRANTS } from './common/schemas.ts';

/**
 * The demo is an organisation that has something of everything, and a partner of it. Both are documents as `import`
 * reads them. All people and numbers in them are invented.
 *
 * The units are those of the sample, whichever export is served: the store is made before a version is published, and
 * what an organisation writes about a unit does not depend on the register having it.
 */

export const DEMO = 'demo';
export const OWNER = 'owner';
export const DEMO_PARTNER = 'demo-partner';

const [FIRST_UNIT, SECOND_UNIT] = ['SEE900721100463', 'SEE912163565298'] as const;

const LARGE_WIND = 'Windenergie an Land ab 3 MW, in Betrieb';

/** Ids by which the two documents name each other's records, and the time of both. */
interface Common {
  readonly demo: string;
  readonly partner: string;
  readonly connection: string;
  /** A user of the demo, and one of the partner. */
  readonly anna: string;
  readonly clara: string;
  daysAgo(days: number): string;
}

/** @param withPartner false where another organisation has its name already: then the demo is connected with nobody */
export function demoDocuments(withPartner: boolean): readonly object[] {
  const [demo, partner, connection, anna, clara] = Array.from({ length: 5 }, () => randomUUIDv7()) as Five;
  const now = Date.now();
  const daysAgo = (days: number): string => new Date(now - days * DAY).toISOString();
  const common: Common = { demo, partner, connection, anna, clara, daysAgo };
  return withPartner
    ? [{ ...demoDocument(common), ...demoOnConnection(common) }, partnerDocument(common)]
    : [demoDocument(common)];
}

const DAY = 86_400_000;

type Five = [string, string, string, string, string];

const demoDocument = ({ demo, anna }: Common) => ({
  format: 1,
  organisation: {
    id: demo,
    externalId: DEMO,
    name: 'Demo',
    ...GRANTS,
    limits: { standard: 6000, mutation: 3000, expensive: 1200, dumps: true },
    quota: 10_000_000,
  },
  users: [
    { externalId: OWNER, name: 'Owner of the demo', role: 'owner' },
    { id: anna, externalId: 'anna', name: 'Anna Muster', role: 'member' },
  ],
  savedFilters: [
    {
      name: LARGE_WIND,
      criteria: {
        einheitTyp: ['wind'],
        betriebsStatus: ['In Betrieb'],
        windSeelage: ['Windkraft an Land'],
        leistungMinKw: 3000,
      },
    },
    { name: 'Speicher in Planung', criteria: { einheitTyp: ['storage'], betriebsStatus: ['In Planung'] } },
  ],
  alerts: [
    { name: 'Neue Großspeicher', template: 'NEW_UNIT', criteria: { einheitTyp: ['storage'], leistungMinKw: 1000 } },
    {
      name: 'Windenergie über 20 Jahre',
      template: 'SIGNAL_CHANGE',
      signals: ['wind_ueber_20_jahre', 'betreiberwechsel_12_monate'],
      savedFilter: LARGE_WIND,
    },
  ],
  customFields: [
    { name: 'Pachtvertrag', type: 'TEXT', shared: true },
    { name: 'Bemerkung', type: 'LONG_TEXT' },
    { name: 'Leistungen', type: 'DROPDOWN', multiple: true, choices: ['Wartung', 'Direktvermarktung', 'Versicherung'] },
    { name: 'Betriebshandbuch', type: 'URL' },
    { name: 'Pacht im Jahr', type: 'NUMBER', shared: true },
    { name: 'Vertragsende', type: 'DATE' },
    { name: 'Nächste Wartung', type: 'DATE', filledByPartner: true },
    { name: 'Wartungsfirma', type: 'TEXT', filledByPartner: true },
    { name: 'Lageplan', type: 'FILE' },
    { name: 'Ansprechpartner', type: 'CONTACT' },
  ],
  customFieldValues: [
    { field: 'Pachtvertrag', mastrNumber: FIRST_UNIT, values: ['Muster 4711'] },
    { field: 'Bemerkung', mastrNumber: FIRST_UNIT, values: ['Erfunden, wie alles in der Demo.\nZufahrt von Norden.'] },
    { field: 'Leistungen', mastrNumber: FIRST_UNIT, values: ['Wartung', 'Versicherung'] },
    { field: 'Betriebshandbuch', mastrNumber: FIRST_UNIT, values: ['https://handbuch.example/4711'] },
    { field: 'Pacht im Jahr', mastrNumber: FIRST_UNIT, values: [42_000.5] },
    { field: 'Vertragsende', mastrNumber: FIRST_UNIT, values: [{ day: '2041-12-01', precision: 'MONTH' }] },
    { field: 'Pachtvertrag', mastrNumber: SECOND_UNIT, values: ['Muster 4712'] },
  ],
  contacts: [
    {
      kind: 'PERSON',
      name: 'Dr. Erika Muster',
      firstName: 'Erika',
      lastName: 'Muster',
      salutation: 'FRAU',
      title: 'Dr.',
      email: 'erika@muster.example',
      telephone: '+49 30 23125 000',
      company: 'Muster Verpachtung',
      position: 'Verwaltung',
      status: 'CONFIRMED',
    },
    { kind: 'PERSON', name: 'Öz Vorschlag', company: 'Muster Verpachtung', origin: 'VERBINDUNG', status: 'SUGGESTED' },
    { kind: 'FUNCTION', name: 'Leitwarte Musterstadt', email: 'leitwarte@muster.example', status: 'CONFIRMED' },
  ],
  mailboxes: [
    { name: 'Zentrale', general: true, users: [OWNER] },
    { name: 'Leitwarte', categories: ['TECHNIK', 'STOERUNG'], users: ['anna'] },
  ],
});

type Document = ReturnType<typeof demoDocument>;

/** The sections of the demo that depend on the partner; they replace those of the document without one. */
function demoOnConnection(common: Common) {
  const { partner, connection, anna, clara, daysAgo } = common;
  const own: Document = demoDocument(common);
  return {
    customFieldValues: [
      ...own.customFieldValues,
      { field: 'Nächste Wartung', mastrNumber: FIRST_UNIT, writer: partner, values: [{ day: '2027-05-05' }] },
    ],
    connections: [
      {
        ...acceptedConnection(common),
        role: 'initiator',
        counterpart: { id: partner, name: PARTNER_NAME },
        activeFields: named(['Pachtvertrag', 'Pacht im Jahr', 'Nächste Wartung', 'Wartungsfirma']),
        releases: named(['Pachtvertrag', 'Nächste Wartung', 'Wartungsfirma']),
      },
    ],
    standingReleases: [{ field: 'Pacht im Jahr', mastrNumber: FIRST_UNIT }],
    threads: [
      {
        id: randomUUIDv7(),
        connectionId: connection,
        subject: 'Wartung im Mai',
        category: 'TECHNIK',
        assets: [FIRST_UNIT],
        participants: [{ user: clara, side: 'counterpart' }],
        createdAt: daysAgo(5),
        updatedAt: daysAgo(1),
        messages: [
          message({ sender: 'own', viaApi: true, text: 'Wann wird die Anlage gewartet?', writtenAt: daysAgo(5) }),
          message({
            ...{ sender: 'counterpart', user: clara, person: 'Clara Beispiel', writtenAt: daysAgo(4) },
            ...{ text: 'Am 5. Mai; der Plan ist beigefügt.', editedAt: daysAgo(3) },
            attachments: [{ id: randomUUIDv7(), name: 'Plan.pdf', mediaType: 'application/pdf', bytes: 48_213 }],
          }),
          message({ sender: 'own', text: null, writtenAt: daysAgo(2), deletedAt: daysAgo(1) }),
        ],
      },
      {
        id: randomUUIDv7(),
        connectionId: connection,
        subject: 'Rechnung über die Wartung',
        category: 'ABRECHNUNG',
        participants: [{ user: anna, side: 'own' }],
        createdAt: daysAgo(1),
        updatedAt: daysAgo(1),
        messages: [
          message({ sender: 'counterpart', text: 'An wen geht die Rechnung?', viaApi: true, writtenAt: daysAgo(1) }),
        ],
      },
    ],
  };
}

const PARTNER_NAME = 'Partner der Demo (erfunden)';

const partnerDocument = (common: Common) => ({
  format: 1,
  organisation: { id: common.partner, externalId: DEMO_PARTNER, name: PARTNER_NAME },
  users: [{ id: common.clara, externalId: 'clara', name: 'Clara Beispiel', role: 'member' }],
  customFields: [
    { name: 'Zählernummer', type: 'TEXT', shared: true },
    { name: 'Zählerstand', type: 'NUMBER', filledByPartner: true },
  ],
  customFieldValues: [{ field: 'Zählernummer', mastrNumber: FIRST_UNIT, values: ['1MUSTER0004711'] }],
  mailboxes: [{ name: 'Service', general: true, users: ['clara'] }],
  connections: [
    {
      ...acceptedConnection(common),
      role: 'invited',
      counterpart: { id: common.demo, name: 'Demo' },
      activeFields: named(['Zählernummer', 'Zählerstand']),
      releases: named(['Zählernummer', 'Zählerstand']),
    },
  ],
});

const acceptedConnection = ({ connection, daysAgo }: Common) => ({
  id: connection,
  status: 'ACCEPTED',
  assets: [FIRST_UNIT, SECOND_UNIT].map((mastrNumber) => ({
    mastrNumber,
    relationType: 'OPERATOR',
    addedAt: daysAgo(7),
    updatedAt: daysAgo(7),
  })),
  createdAt: daysAgo(7),
  answeredAt: daysAgo(6),
  changedAt: daysAgo(6),
});

const named = (fields: readonly string[]) => fields.map((field) => ({ field }));

const message = (members: object) => ({
  id: randomUUIDv7(),
  user: null,
  person: null,
  viaApi: false,
  attachments: [],
  editedAt: null,
  deletedAt: null,
  ...members,
});
