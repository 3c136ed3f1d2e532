import { z } from 'zod';
import { WRITTEN_RULES } from '../../sql/catalogue/anomalies.ts';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { isSignal, SIGNAL_IDS, SIGNALS } from '../../sql/catalogue/signals.ts';
import { BIT_SETS } from '../../sql/query/bit-sets.ts';
import { fold } from '../../sql/query/fold.ts';
import { placeMembers } from '../../sql/query/places.ts';
import { REFERENCE_SETS, type ReferenceSet } from '../../sql/query/reference-sets.ts';
import { type ReferenceValue, referenceValueRow, referenceValuesStatement } from '../../sql/query/reference-values.ts';
import { plainSigns } from '../../sql/register/mastr-number.ts';
import type { Caller } from '../access/caller.ts';
import { mustHaveModule } from '../access/rights.ts';
import { reusableOperation } from '../operation/operation.ts';
import { Problem, violated } from '../problem/problem.ts';
import { suggestion } from '../wire/nearest.ts';
import { listParameter, MEANINGS, text, wholeNumber } from '../wire/parameters.ts';

/** Default and maximum of suggestions, which complete what somebody types. */
const DEFAULT_SUGGESTIONS = 20;
const MAX_SUGGESTIONS = 100;

/** Any text passes the schema, so that an unknown name is answered by 404. */
const setName = z.string().register(MEANINGS, { type: 'string', enum: [...REFERENCE_SETS.keys()] });

const valueMembers = {
  value: z.string().describe('As the filter takes it'),
  count: z.int().describe('Units that have the value'),
};

const signalMembers = {
  beschreibung: z.string().optional().describe('Only of signals and rules: when it applies to a unit'),
  title: z.string().optional().describe('Only of signals and rules: `name` in English'),
  description: z.string().optional().describe('Only of signals and rules: `beschreibung` in English'),
};

/** The values of a filter with their frequencies. */
export const listReferenceValues = reusableOperation({
  id: 'reference.values',
  method: 'GET',
  path: '/v1/reference/{set}',
  summary: 'Values that a filter takes',
  description: [
    'With `q` the values that hold it, whatever their case and accents: those that begin with it first, then by',
    'frequency. Without `q` all values of the set, by frequency; searchable sets need `q`. A fixed list comes whole, also',
    'values that no unit has, unless `q` or `einheitTyp` narrows it.',
    'Values of `landkreis` and `gemeinde` are places, one entry each, found by name or official key; `value` is the',
    'shortest spelling that covers the place and nothing else, and `schluessel`, `name` and `bundesland` stand beside it.',
    'Signals and rules have their `name` and, in `beschreibung`, when they apply; in English in `title` and `description`.',
    `Searchable sets answer ${DEFAULT_SUGGESTIONS} values unless \`limit\` says otherwise.`,
  ].join(' '),
  access: 'api',
  shared: true,
  scope: 'reference:read',
  cost: 'standard',
  source: 'register',
  pathParameters: z.strictObject({ set: setName.describe('Name from GET /v1/reference') }),
  query: z.strictObject({
    q: text(100)
      .refine((typed) => fold(typed) !== '', 'must have a letter, a digit or a sign beside blanks and accents')
      .optional()
      .describe('Part of the value'),
    limit: wholeNumber(1, MAX_SUGGESTIONS).optional().describe('Values at most'),
    einheitTyp: listParameter({ closed: CARRIERS })
      .optional()
      .describe('Only values of these carriers, counted among them'),
  }),
  answer: z.strictObject({
    data: z.array(
      z.strictObject({ ...valueMembers, ...placeMembers, ...signalMembers }).meta({ id: 'ReferenceValue' }),
    ),
    meta: z.strictObject({ count: z.int() }),
  }),
  table: 'data',
  problems: ['NOT_FOUND'],
  example: { path: { set: 'gemeinde' }, query: 'q=neu&limit=5' },
  question({ path, query: { q, limit, einheitTyp }, caller }) {
    const set = setNamed(path.set);
    if (set.field.module !== null) mustHaveModule(caller, set.field.module, `The set ${set.name}`);
    if (set.kind === 'searchable' && q === undefined) throw withoutText(set);
    const text = q === undefined ? null : fold(plainSigns(q));
    return { set: set.name, text, limit, einheitTyp, permitted: permittedValues(set, caller) };
  },
  async reply({ question: { text, limit, einheitTyp, permitted, ...question }, dataset }) {
    const set = setNamed(question.set);
    const { dialects, query: select } = dataset();
    const found = await select(
      referenceValueRow,
      referenceValuesStatement(
        {
          set,
          text,
          carriers: einheitTyp ?? CARRIERS,
          among: permitted,
          limit: limit ?? (set.kind === 'searchable' ? DEFAULT_SUGGESTIONS : null),
        },
        dialects.projections,
      ),
    );
    const isWhole = permitted !== null && text === null && einheitTyp === undefined;
    const listed = isWhole ? withUnused(found, permitted).slice(0, limit) : found;
    const data = BIT_SETS[set.field.kind] !== undefined ? listed.map(withMeaning) : listed;
    return { columns: columnsOf(set), body: { data, meta: { count: data.length } } };
  },
});

/** @throws Problem NOT_FOUND with a suggestion */
function setNamed(name: string): ReferenceSet {
  const set = REFERENCE_SETS.get(name);
  if (set !== undefined) return set;
  const hint = suggestion(name, REFERENCE_SETS.keys());
  throw new Problem('NOT_FOUND', `There is no set ${JSON.stringify(name)}; GET /v1/reference lists them${hint}`);
}

const withoutText = ({ name }: ReferenceSet): Problem => {
  const detail = `q is required: ${name} has too many values to list them; write the beginning or a part of one`;
  return violated([{ parameter: 'q', code: 'INVALID_PARAMETER', detail }]);
};

/** Returns the closed list of a set; for signals, those that the organisation is entitled to; null = an open list. */
function permittedValues({ field }: ReferenceSet, { organisation }: Caller): readonly string[] | null {
  return field.kind === 'signals' ? SIGNAL_IDS.filter((id) => organisation.signals.has(id)) : field.values;
}

const columnsOf = ({ places, field }: ReferenceSet): string[] => [
  ...Object.keys(valueMembers),
  ...(places === null ? [] : Object.keys(placeMembers)),
  ...(BIT_SETS[field.kind] === undefined ? [] : ['name', ...Object.keys(signalMembers)]),
];

type Meaning = z.infer<z.ZodObject<typeof signalMembers>>;

/** Signals and rules are the only values that nobody can read without knowing what they mean. */
function withMeaning(value: ReferenceValue): ReferenceValue & Meaning {
  const { name, title, description, english } = meaningOf(value.value);
  return { ...value, name, beschreibung: description, title, description: english };
}

/** @throws Error for a text that is neither the id of a signal nor of a rule */
function meaningOf(id: string): Readonly<Record<'name' | 'title' | 'description' | 'english', string>> {
  if (isSignal(id)) return SIGNALS[id];
  const rule = WRITTEN_RULES.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`${id} has no meaning`);
  return rule;
}

/** Appends the values of the fixed list that no unit has. */
function withUnused(found: readonly ReferenceValue[], permitted: readonly string[]): ReferenceValue[] {
  const used = new Set(found.map(({ value }) => value));
  const unused = permitted.filter((value) => !used.has(value)).map((value) => ({ value, count: 0 }));
  return [...found, ...unused.sort((a, b) => (a.value < b.value ? -1 : 1))];
}
