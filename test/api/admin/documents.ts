import fc from 'fast-check';
import { SECTIONS } from '../../../api/admin/transfer/sections.ts';
import { SIGNALS } from '../../../sql/catalogue/signals.ts';
import { RELATION_TYPES } from '../../../sql/org/records/portfolio.ts';
import { ALERT_TEMPLATES, MODULES, ROLES, SCOPES } from '../../../sql/org/rights.ts';

/** Arbitrary documents of organisations, as an export writes them. */

const ALPHANUMERIC = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

const textOf = (letters: readonly string[], length: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length });

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts of one line have none
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names have none
  .filter((text) => text === text.trim() && text !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text));

const time = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const externalId = fc
  .tuple(fc.constantFrom('a', 'Z', '9', 'ü'), fc.string({ unit: fc.constantFrom(...'aB1._:@+-ß'), maxLength: 20 }))
  .map(([first, rest]) => first + rest);

/** Draws without bias, since the few values at the edges would repeat. */
const id = fc.noBias(fc.noShrink(fc.uuid()));

/** Keeps the order of definition, as the command line writes them. */
const someOf = (names: readonly string[]) => fc.subarray([...names]);

const user = fc.record({
  id,
  externalId,
  name,
  email: orNull(fc.constantFrom('a@example.org', 'anna.muster+mastr@stadtwerk.example')),
  role: fc.constantFrom(...ROLES),
  createdAt: time,
  updatedAt: time,
});

const key = fc.record({
  id,
  prefix: textOf(ALPHANUMERIC, 8),
  environment: fc.constantFrom('live', 'test'),
  secretHash: textOf([...'0123456789abcdef'], 64),
  name,
  scopes: fc.subarray([...Object.keys(SCOPES), 'retired:read']),
  createdAt: time,
  expiresAt: orNull(time),
  revokedAt: orNull(time),
});

const reference = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => !text.includes('\0') && text !== '__proto__');

const entry = fc.record({
  id,
  mastrNumber: textOf([...'0123456789'], 12).map((digits) => `SEE${digits}`),
  relationType: fc.constantFrom(...RELATION_TYPES),
  externalRefs: fc.dictionary(reference, reference, { maxKeys: 3, noNullPrototype: true }),
  createdAt: time,
  updatedAt: time,
  removedAt: orNull(time),
});

const filter = fc.record({
  id,
  name,
  kind: fc.constantFrom('table', 'map'),
  criteria: fc.record(
    {
      einheitTyp: fc.subarray(['wind', 'solar', 'storage'], { minLength: 1 }),
      betreiber: fc.array(
        reference.filter((text) => text !== ''),
        { minLength: 1, maxLength: 3 },
      ),
      plz: fc.constantFrom('7', '79100'),
      hatKoordinaten: fc.boolean(),
      leistungMinKw: fc.integer({ min: 0, max: 10_000 }),
      inbetriebnahmeVon: fc.constantFrom('1999-12-31', '2024-02-29'),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  view: orNull(fc.constantFrom({ page: 'karte', query: '' }, { page: 'portfolio', query: 'rolle=OWNER' })),
  createdAt: time,
  updatedAt: time,
});

/** An alert with the places of what it names among the choices of its document. */
const alert = fc.record({
  id,
  name,
  template: fc.constantFrom(...Object.keys(ALERT_TEMPLATES)),
  signals: fc.subarray(Object.keys(SIGNALS), { minLength: 1 }),
  fields: fc.subarray(['betriebsStatus', 'bruttoleistungKw'], { minLength: 1 }),
  criteria: filter.map(({ criteria }) => criteria),
  filter: fc.nat(),
  enabled: fc.boolean(),
  enabledAt: time,
  fault: orNull(fc.constant('The reason why it cannot be evaluated')),
  emails: fc.subarray(['leitwarte@netz.example', 'zwei@netz.example']),
  createdAt: time,
  updatedAt: time,
});

type Alert = typeof alert extends fc.Arbitrary<infer Value> ? Value : never;

/** An alert of a document that has these saved filters; one that its organisation is not entitled to says that it is faulty. */
function alertOf(
  { signals, fields, criteria, filter: place, fault, ...alert }: Alert,
  filters: readonly { readonly name: string; readonly kind: string }[],
  organisation: { readonly signals: readonly string[]; readonly alertTemplates: readonly string[] },
) {
  const watched = alert.template === 'SIGNAL_CHANGE' ? signals : [];
  const chosen = filters[place % (filters.length + 1)];
  const faulty =
    chosen?.kind === 'map' ||
    !organisation.alertTemplates.includes(alert.template) ||
    watched.some((signal) => !organisation.signals.includes(signal));
  return {
    ...alert,
    signals: watched,
    fields: alert.template === 'FIELD_CHANGE' ? fields : [],
    criteria: chosen === undefined ? criteria : null,
    savedFilter: chosen?.name ?? null,
    fault: faulty ? 'The organisation is not entitled to it' : fault,
  };
}

const asset = fc.record({
  mastrNumber: entry.map(({ mastrNumber }) => mastrNumber),
  relationType: fc.constantFrom(...RELATION_TYPES),
  addedAt: time,
  updatedAt: time,
});

/** An invitation to an e-mail address is of this organisation, and has no counterpart and no answer. */
const connection = fc
  .record({
    id,
    role: fc.constantFrom('initiator', 'invited'),
    status: fc.constantFrom('PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED'),
    counterpart: fc.record({ id, name }),
    email: fc.constantFrom(null, null, 'somebody@else.example'),
    assets: fc.uniqueArray(asset, { maxLength: 3, selector: ({ mastrNumber }) => mastrNumber }),
    activeFields: fc.constant([]),
    releases: fc.constant([]),
    createdAt: time,
    answeredAt: time,
    changedAt: time,
  })
  .map(({ email, role, status, counterpart, answeredAt, assets, ...rest }) => {
    const open = email !== null;
    const state = open && status !== 'REVOKED' ? 'PENDING' : status;
    return {
      ...rest,
      ...{ email, role: open ? 'initiator' : role, status: state, counterpart: open ? null : counterpart },
      answeredAt: open || state === 'PENDING' ? null : answeredAt,
      assets: assets.toSorted((a, b) => order(a.mastrNumber, b.mastrNumber)),
    };
  });
const number = textOf([...'0123456789'], 12).map((digits) => `SEE${digits}`);

/** Values of each type that fit, as one writer has them. */
const VALUES = {
  TEXT: fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== '' && !CONTROL.test(text)),
  URL: fc.constantFrom('https://example.org/', 'http://localhost:1/?a=b,c'),
  DROPDOWN: fc.constantFrom('gut', 'a, "b"'),
  NUMBER: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  DATE: fc.constantFrom({ day: '2028-02-29', precision: 'DAY' }, { day: '0001-02-01', precision: 'MONTH' }),
} as const;

/** A field with its values, so that they fit. */
const fieldWithValues = fc.constantFrom(...(Object.keys(VALUES) as (keyof typeof VALUES)[])).chain((type) =>
  fc.record({
    field: fc.record({
      id,
      name,
      type: fc.constant(type),
      multiple: fc.constant(true),
      choices: fc.constant(type === 'DROPDOWN' ? ['gut', 'a, "b"'] : []),
      filledByPartner: fc.boolean(),
      shared: fc.boolean(),
      retiredAt: orNull(time),
      createdAt: time,
      updatedAt: time,
    }),
    values: fc.uniqueArray(
      fc.record({
        mastrNumber: number,
        writer: id,
        values: fc.array<unknown>(VALUES[type], { minLength: 1, maxLength: 3 }),
        updatedAt: time,
      }),
      { maxLength: 2, selector: ({ mastrNumber }) => mastrNumber },
    ),
  }),
);

const positive = fc.integer({ min: 1, max: 1_000_000 });

const limits = fc.record(
  {
    standard: positive,
    mutation: positive,
    expensive: positive,
    maxAlerts: fc.nat(1_000_000_000),
    webhooksEnabled: fc.boolean(),
  },
  { requiredKeys: [] },
);

const organisation = fc.record({
  id,
  externalId: fc.constant('generated'),
  name,
  modules: someOf(Object.keys(MODULES)),
  signals: someOf(Object.keys(SIGNALS)),
  alertTemplates: someOf(Object.keys(ALERT_TEMPLATES)),
  limits: limits.map((chosen) => ({ ...chosen })),
  quota: fc.nat(),
  trialEndsAt: orNull(time),
  createdAt: time,
  updatedAt: time,
});

const unique = <Item extends object>(item: fc.Arbitrary<Item>, member: keyof Item) =>
  fc.uniqueArray(item, { maxLength: 6, selector: (value) => value[member], comparator: 'SameValue' });

export interface Document {
  readonly format: 1;
  readonly organisation: object & { readonly externalId: string };
  readonly users: readonly (object & { readonly externalId: string })[];
  readonly keys: readonly (object & { readonly prefix: string })[];
  readonly portfolio: readonly (object & { readonly mastrNumber: string })[];
  readonly savedFilters: readonly (object & { readonly name: string })[];
  readonly alerts: readonly (object & { readonly name: string })[];
  readonly connections: readonly (object & { readonly id: string })[];
  readonly customFields: readonly (object & { readonly name: string })[];
  readonly customFieldValues: readonly object[];
}

/** Keys name users of the same document or none, alerts its saved filters. */
export const document: fc.Arbitrary<Document> = fc
  .record({
    format: fc.constant(1 as const),
    organisation,
    users: unique(user, 'externalId'),
    keys: unique(key, 'prefix'),
    portfolio: unique(entry, 'mastrNumber'),
    savedFilters: unique(filter, 'name'),
    alerts: unique(alert, 'name'),
    connections: unique(connection, 'id'),
    fields: fc.uniqueArray(fieldWithValues, { maxLength: 4, selector: ({ field }) => field.name }),
    makers: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
  })
  .map(({ makers, keys, users, fields, alerts, ...rest }) => {
    const { savedFilters, organisation } = rest;
    const makerOf = (place: number): string | null => users[makers[place]! % (users.length + 1)]?.externalId ?? null;
    return {
      ...rest,
      users,
      keys: keys.map((item, place) => ({ ...item, createdBy: makerOf(place) })),
      alerts: alerts.slice(0, organisation.limits.maxAlerts).map((item) => alertOf(item, savedFilters, organisation)),
      customFields: fields.map(({ field }) => field),
      customFieldValues: fields.flatMap(({ field, values }) =>
        values.map(({ writer, ...item }) => ({
          ...item,
          field: field.name,
          writer: field.filledByPartner ? writer : null,
        })),
      ),
    };
  });

/** A document with all its sections, their items sorted, for comparison. */
export function sorted(document: object): object {
  const sections = SECTIONS.map(({ name, key }) => {
    const items: readonly object[] = Reflect.get(document, name) ?? [];
    const keyOf = (item: object) => JSON.stringify([key].flat().map((member) => Reflect.get(item, member)));
    return [name, items.toSorted((a, b) => order(keyOf(a), keyOf(b)))];
  });
  return { ...document, ...Object.fromEntries(sections) };
}

const order = (left: string, right: string): number => (left < right ? -1 : Number(left > right));
