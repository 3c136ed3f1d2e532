import { unit } from '../../support/portfolio.ts';
import { type Outcome, rule } from '../world/rule.ts';
import type { Field, FieldType, Handle, Slot, World } from '../world/world.ts';

/** Custom fields and their values. */

export const UNITS = [1, 2, 3].map(unit);

/** The register has no such unit. */
const UNKNOWN_UNIT = unit(77);

const NAMES = ['Zählpunkt', 'Äußere Lage', 'Anmerkung', 'Ziel'];

interface Kind {
  readonly type: FieldType;
  readonly multiple: boolean;
  readonly use: 'own' | 'share' | 'request';
}

const KINDS: readonly Kind[] = [
  { type: 'TEXT', multiple: false, use: 'share' },
  { type: 'TEXT', multiple: true, use: 'request' },
  { type: 'DROPDOWN', multiple: false, use: 'request' },
  { type: 'NUMBER', multiple: true, use: 'share' },
  { type: 'DATE', multiple: false, use: 'request' },
  { type: 'URL', multiple: false, use: 'own' },
  { type: 'FILE', multiple: false, use: 'own' },
];

const CHOICES = ['offen', 'geklärt'];

const createField = rule<Kind & { readonly owner: Handle; readonly name: string }>({
  name: 'create a field',
  weight: 3,
  *deeds({ organisations }) {
    for (const { handle: owner } of organisations)
      for (const name of NAMES) for (const kind of KINDS) yield { owner, name, ...kind };
  },
  fits: (world, { owner, name }) => !world.fields.some((field) => field.owner === owner && field.name === name),
  change(world, { owner, name, type, multiple, use }) {
    const choices = type === 'DROPDOWN' ? [...CHOICES] : [];
    const [filledByPartner, shared] = [use === 'request', use === 'share'];
    world.fields.push({
      ...{ handle: world.next('F'), owner, name, type, multiple, choices, filledByPartner, shared, retired: false },
      ...{ madeAt: world.now, changedAt: world.now },
    });
    return 'done';
  },
  async perform(reality, { owner, name, type, multiple, use }, world) {
    const words = ['fields', 'create', reality.externalId(owner), name, '--type', type];
    if (multiple) words.push('--multiple');
    if (use === 'request') words.push('--filled-by-partner');
    if (use === 'share') words.push('--shared');
    if (type === 'DROPDOWN') words.push('--choices', CHOICES.join(','));
    const made = await reality.command(words);
    if (made === null) return 'refused';
    reality.bind(world.fields.at(-1)!.handle, made.field.id);
    return 'done';
  },
  tell: ({ owner, name, type, use }) => `${owner} makes the field ${name} (${type}, ${use})`,
});

interface FieldDeed {
  readonly field: Field;
}

const someField = function* ({ fields }: World): Generator<FieldDeed> {
  for (const field of fields) yield { field };
};

const retireField = rule<FieldDeed>({
  name: 'retire a field',
  deeds: someField,
  fits: (_, { field }) => !field.retired,
  change(world, { field }) {
    Object.assign(field, { retired: true, changedAt: world.now });
    for (const connection of world.connections) {
      connection.released.delete(field.handle);
      if (connection.active.delete(field.handle)) connection.changedAt = world.now;
    }
    for (const release of world.standing) if (release.startsWith(`${field.handle} `)) world.standing.delete(release);
    return 'done';
  },
  // It is as was wanted.
  refusal: () => 'done',
  perform: (reality, { field }) => reality.order(['fields', 'retire', reality.externalId(field.owner), field.name]),
  tell: ({ field }) => `${field.owner} retires ${field.handle}`,
});

const restoreField = rule<FieldDeed>({
  name: 'restore a field',
  deeds: someField,
  fits: (_, { field }) => field.retired,
  change(world, { field }) {
    Object.assign(field, { retired: false, changedAt: world.now });
    return 'done';
  },
  refusal: () => 'done',
  perform: (reality, { field }) => reality.order(['fields', 'restore', reality.externalId(field.owner), field.name]),
  tell: ({ field }) => `${field.owner} restores ${field.handle}`,
});

/** One way to fill a field: what is sent, and what is kept of it; null = a fault. */
export interface Attempt {
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  readonly kept: readonly Slot[] | null;
  /** True when no field takes the input: it is refused before the field and unit of the row are looked up. */
  readonly malformed?: true;
}

const EMPTY: Slot = { text: null, zahl: null, datum: null, datumsgenauigkeit: 'DAY' };
const text = (value: string): Attempt => ({ inputs: [{ text: value }], kept: [{ ...EMPTY, text: value }] });
const fault = (...inputs: Attempt['inputs']): Attempt => ({ inputs, kept: null });

/** Ways to fill a field of this type, good and bad, and to empty it. */
export function attemptsFor({ type, multiple }: Pick<Field, 'type' | 'multiple'>): Attempt[] {
  const empty: Attempt = { inputs: [{ text: null }], kept: [] };
  switch (type) {
    case 'TEXT': {
      const two: Attempt['inputs'] = [{ text: 'eins' }, { text: 'Größe' }];
      const kept = [text('eins'), text('Größe')].flatMap((each) => each.kept ?? []);
      return [text('rot'), text('Größe'), multiple ? { inputs: two, kept } : fault(...two), fault({ zahl: 1 }), empty];
    }
    case 'DROPDOWN':
      return [text('offen'), text('geklärt'), fault({ text: 'anders' }), empty];
    case 'URL':
      return [text('https://example.org/a'), fault({ text: 'nirgends' }), empty];
    case 'NUMBER': {
      const numbers = (...all: number[]): Attempt => ({
        inputs: all.map((zahl) => ({ zahl })),
        kept: all.map((zahl) => ({ ...EMPTY, zahl })),
      });
      return [numbers(12.5), numbers(0, -3), fault({ zahl: 1, text: 'x' }), empty];
    }
    case 'DATE': {
      const day = (datum: string, datumsgenauigkeit: 'DAY' | 'MONTH', kept = datum): Attempt => ({
        inputs: [{ datum, datumsgenauigkeit }],
        kept: [{ ...EMPTY, datum: kept, datumsgenauigkeit }],
      });
      const month = day('2026-03-15', 'MONTH', '2026-03-01');
      return [day('2024-02-29', 'DAY'), month, { ...fault({ datum: '2026-02-30' }), malformed: true }, empty];
    }
    default:
      return [fault({ text: 'x' })];
  }
}

interface Write {
  readonly organisation: Handle;
  readonly field: Field;
  readonly unit: string;
  readonly attempt: Attempt;
}

/** The fault of each row of a write; null = it is written. */
function faultOf({ organisation, field, unit, attempt }: Write): string | null {
  if (attempt.malformed) return 'UNPROCESSABLE';
  if (field.owner !== organisation || field.retired || field.type === 'FILE' || unit === UNKNOWN_UNIT)
    return 'NOT_FOUND';
  return field.filledByPartner || attempt.kept === null ? 'UNPROCESSABLE' : null;
}

const writeValues = rule<Write>({
  name: 'write values',
  weight: 6,
  *deeds({ organisations, fields }) {
    for (const { handle: organisation } of organisations)
      for (const field of fields)
        for (const unit of [...UNITS, UNKNOWN_UNIT])
          for (const attempt of attemptsFor(field)) yield { organisation, field, unit, attempt };
  },
  fits: (_, deed) => faultOf(deed) === null,
  change(world, { organisation, field, unit, attempt }) {
    const status = world.write(field.handle, unit, organisation, attempt.kept ?? []);
    return { status: 200, rows: attempt.inputs.map(() => ({ status })) };
  },
  refusal: (_, deed) => failed(deed.attempt, faultOf(deed)),
  async perform(reality, { organisation, field, unit, attempt }) {
    const values = attempt.inputs.map((input) => ({ defId: reality.id(field.handle), ...input }));
    return written(await reality.ask(organisation, `/v1/units/${unit}/custom-fields`, { values }, 'PUT'));
  },
  tell: ({ organisation, field, unit, attempt }) =>
    `${organisation} writes ${JSON.stringify(attempt.inputs)} into ${field.handle} of ${unit}`,
});

/** All inputs of a field fail together. */
export const failed = ({ inputs }: Attempt, code: string | null): Outcome => ({
  status: 207,
  rows: inputs.map(() => ({ status: 'failed', code })),
});

/** Status and rows of a WriteResponse. */
export function written({ status, json }: { readonly status: number; readonly json: unknown }): Outcome {
  const { data, code } = json as { data?: readonly { status: string; error?: { code: string } }[]; code?: string };
  if (data === undefined) return { status, code };
  const rows = data.map((row) =>
    row.error === undefined ? { status: row.status } : { status: row.status, code: row.error.code },
  );
  return { status, rows };
}

export const FIELD_RULES = [createField, retireField, restoreField, writeValues];
