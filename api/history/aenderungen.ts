import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { columnsRead, isCompared, type UnitField } from '../../sql/catalogue/field.ts';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { type ChangeKind, changeRow, feedStatement, KINDS, type Span } from '../../sql/query/change-feed.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { mustHaveModule } from '../access/rights.ts';
import { reusableOperation } from '../operation/operation.ts';
import { violated } from '../problem/problem.ts';
import { endedRows, heldBy } from '../state/former.ts';
import { mustHoldAt, type State, stateOn, statesOf } from '../state/state.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { fieldNames, grantedFields } from '../units/selection.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { queryNotation } from '../wire/notation.ts';
import { openPage, resumableMetaShape, resumablePageParameters } from '../wire/paging.ts';
import { always, calendarDay, fault, listParameter } from '../wire/parameters.ts';
import { changeShape, comparableRows, comparedFields, TELLS, toldChanges } from './compared.ts';
import { isOfStates } from './historie.ts';

/** The changes of the whole register, oldest first, for whoever follows it without keeping it. */

const PATH = '/v1/aenderungen';

/** The days between which changes are asked for. */
export const spanShape = {
  von: calendarDay().optional().describe('Changes since the state of this day; default: the first that is known'),
  bis: calendarDay().optional().describe('Changes until the state of this day; default: the present one'),
};

/** Refuses days in the wrong order. */
export function spanIsOrdered(
  query: { readonly von?: unknown; readonly bis?: unknown },
  context: z.RefinementCtx,
): void {
  if (query.von !== undefined && query.bis !== undefined && String(query.von) > String(query.bis)) {
    context.issues.push(fault('FILTER_CONFLICT', 'lies after bis', ['von']));
  }
}

const query = z
  .strictObject({
    ...resumablePageParameters,
    ...spanShape,
    feld: fieldNames(queryNotation)
      .optional()
      .describe('Only changes with at least one of these among `felder`, and units that came or left'),
    art: listParameter({ closed: KINDS }).optional().describe('Only changes of these kinds; default all'),
    ...portfolioShape(queryNotation),
    ...unitFilterShape(queryNotation),
  })
  .superRefine(rangesAreOrdered, always)
  .superRefine(spanIsOrdered, always);

const change = z
  .strictObject({
    mastrNummer: z.string(),
    einheitTyp: z.enum(CARRIERS),
    art: z.enum(KINDS),
    version: z.string().describe('The first version that had the change'),
    tag: z.iso.date().describe('Day of its export'),
    nachVersion: z.string().describe('The version before: when it changed between the two is unknown'),
    nachTag: z.iso.date().describe('Day of its export'),
    datumLetzteAktualisierung: z
      .string()
      .nullable()
      .describe("The register's own time of update: after the change, of a unit that left before it"),
    grund: z
      .string()
      .nullable()
      .describe('With `entfallen`: geloescht, verschwunden or zurueckgenommen; null where it is not known'),
    felder: z.array(z.string()).describe('With `geaendert`: the fields that changed'),
    aenderungen: z.array(changeShape).describe('With `geaendert`: each of them, before and after'),
  })
  .meta({ id: 'RegisterChange' });

export const listChanges = reusableOperation({
  id: 'aenderungen.list',
  method: 'GET',
  path: PATH,
  summary: 'What changed in the register, oldest first',
  access: 'api',
  scope: 'units:read',
  module: 'analysis',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query,
  answer: z.strictObject({
    data: z.array(change),
    meta: z.strictObject({
      ...resumableMetaShape,
      bekanntAb: z.iso.date().nullable().describe('Day of the first state that is known'),
    }),
  }),
  table: 'data',
  endless: true,
  problems: ['UNKNOWN_FIELD', 'UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'einheitTyp=wind&feld=betreiberMastrNummer,bruttoleistungKw&limit=50' },
  async question({ query: { cursor, limit, von, bis, feld, art = KINDS, ...filters }, caller, records, service }) {
    const conditions = await resolveConditions(filters, { caller, records, service });
    mustHoldAt(von ?? bis ?? '', conditions, queryNotation);
    const fields = feld?.map(fieldNamed) ?? null;
    const untold = fields?.filter((field) => !isCompared(field)).map(({ name }) => name) ?? [];
    if (untold.length > 0) {
      const detail = `cannot be ${untold.join(', ')}: ${TELLS}`;
      throw violated([{ parameter: 'feld', code: 'FILTER_CONFLICT', detail }]);
    }
    for (const { name, module } of fields ?? [])
      if (module !== null) mustHaveModule(caller, module, `The field ${name}`);
    return {
      ...{ cursor, limit, von, bis },
      art: [...art].sort() as ChangeKind[],
      feld: fields?.map(({ name }) => name).sort() ?? null,
      conditions: asked(conditions),
      modules: [...caller.organisation.modules].sort(),
      signals: [...caller.organisation.signals].sort(),
    };
  },
  async reply({ question, today, service, dataset }) {
    const { von, bis, art, feld } = question;
    const version = dataset();
    const states = await statesOf(version);
    const span = spanOf(question, states, today);
    const list = openPage({
      path: PATH,
      query: question,
      search: null,
      service,
      question: [question.conditions, art, feld, von ?? null, bis ?? null],
      resumableFrom: [span?.from ?? 0, 0],
      endless: true,
    });
    if (list.after !== null) mustStandOnState(Number(list.after[0]), states);
    const fields = feld === null ? null : comparedFields(feld.map(fieldNamed));
    const conditions = conditionsOf(question.conditions);
    const shown = {
      fields: comparedFields(grantedFields(new Set(question.modules))),
      signals: new Set(question.signals),
      today,
    };
    const isAsked = new Set(feld ?? shown.fields.map(({ name }) => name));
    const after = list.after === null ? null : ([Number(list.after[0]), Number(list.after[1])] as const);
    const { told, goesOn } = await readTold(list.fetchLimit, after, {
      read: async (after, limit) =>
        span === null || span.from === span.to
          ? []
          : version.query(
              changeRow,
              feedStatement({ conditions, kinds: art, fields, today, span, after, limit }, version.dialects.units),
            ),
      tell: (rows) => changesOf(rows, states, version, shown),
      // A change of what the caller may not see is none to the caller: `historie` shows none there, either.
      isTold: ({ art, felder }) => art !== 'geaendert' || felder.some((name) => isAsked.has(name)),
    });
    const page = list.page(told, ({ row }) => keyOf(row), { goesOn });
    const data = page.rows.map(({ change }) => change);
    return {
      asOf: states.find(({ build }) => build === span?.to)?.day,
      page: page.links,
      body: {
        data,
        meta: { ...page.meta, cursor: page.meta.cursor ?? '', bekanntAb: states[0]?.day ?? null },
      },
    };
  },
});

/**
 * The builds between which a question asks; null where no state is known.
 * @param names those by which the caller sent the days
 * @throws Problem like stateOn
 */
export function spanOf(
  { von, bis }: { readonly von?: string | undefined; readonly bis?: string | undefined },
  states: readonly State[],
  today: string,
  names: { readonly von: string; readonly bis: string } = { von: 'von', bis: 'bis' },
): Span | null {
  const [first, last] = [states[0], states.at(-1)];
  if (first === undefined || last === undefined) return null;
  const on = (day: string, parameter: string): number => stateOn(states, day, today, { parameter }).build;
  return {
    from: von === undefined ? first.build : on(von, names.von),
    to: bis === undefined ? last.build : on(bis, names.bis),
  };
}

/**
 * Refuses a cursor that stands on a version which is not among those that lead to the served one: its reader knows changes that were
 * taken back.
 * @throws Problem INVALID_CURSOR
 */
function mustStandOnState(build: number, states: readonly State[]): void {
  if (build === 0 || states.some((state) => state.build === build)) return;
  // Of several versions of one day `von` finds the last.
  const before = states.findLast((state, at) => state.build < build && states[at + 1]?.day !== state.day);
  const from =
    before === undefined
      ? 'read again without von and cursor'
      : `read again with von=${before.day} and without cursor, and drop what you have read of versions after ${before.version}`;
  const detail = `cursor stands on a version that has been withdrawn since: ${from}`;
  throw violated([{ parameter: 'cursor', code: 'INVALID_CURSOR', detail }]);
}

/** The fields and signals that the caller may see. */
interface Shown {
  readonly fields: readonly UnitField[];
  readonly signals: Parameters<typeof toldChanges>[2]['signals'];
  readonly today: string;
}

type Row = z.infer<typeof changeRow>;

type Change = z.infer<typeof change>;

/** The place of a change in the feed. */
type Key = readonly [build: number, digits: number];

const keyOf = ({ build, digits }: Row): Key => [build, digits];

/** A change, with the row that it was found by. */
interface Told {
  readonly row: Row;
  readonly change: Change;
}

/** A page reads as often, at most, and so many rows, at least: of most of them nothing may have changed that is told. */
const MOST_READS = 5;
const FEWEST_ROWS = 50;

/**
 * Reads so many changes that are told, fewer at the end of the feed or where few of many rows are told.
 * @returns also the last row that was read, where others follow
 */
async function readTold(
  limit: number,
  after: Key | null,
  changes: {
    readonly read: (after: Key | null, limit: number) => Promise<Row[]>;
    readonly tell: (rows: readonly Row[]) => Promise<Told[]>;
    readonly isTold: (change: Change) => boolean;
  },
): Promise<{ told: Told[]; goesOn: Key | null }> {
  const size = Math.max(limit, FEWEST_ROWS);
  const told: Told[] = [];
  let goesOn = after;
  for (let reads = 0; reads < MOST_READS && told.length < limit; reads++) {
    const rows = await changes.read(goesOn, size);
    told.push(...(await changes.tell(rows)).filter(({ change }) => changes.isTold(change)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return { told, goesOn: null };
    goesOn = keyOf(last);
  }
  return { told, goesOn };
}

/** Reads what changes were. */
async function changesOf(
  rows: readonly Row[],
  states: readonly State[],
  version: Dataset,
  shown: Shown,
): Promise<Told[]> {
  if (rows.length === 0) return [];
  const numbers = [...new Set(rows.map(({ digits }) => unitNumberOf(digits)))];
  const columns = new Set(['mastrNummer', 'bruttoleistungKw', ...shown.fields.flatMap(columnsRead)]);
  const [served, held] = await Promise.all([version.units.read(numbers, columns), heldBy(numbers, version)]);
  const present = new Map(numbers.map((number, index) => [number, itemAt(served, index)]));
  const ended = await endedRows(held, present, version);
  return rows.map((row) => {
    const { digits, build, kind, isPresent } = row;
    const number = unitNumberOf(digits);
    const now = present.get(number) ?? null;
    const former = ended.get(number)?.filter(({ begin }) => isOfStates(begin, states)) ?? [];
    const own = comparableRows(former.sort((a, b) => a.begin - b.begin));
    const last = own.find(({ end }) => end === build);
    const before = last?.texts ?? null;
    const after = isPresent === 1 ? now : (own.find(({ begin }) => begin === build)?.texts ?? null);
    const aenderungen = before === null || after === null ? [] : toldChanges(before, after, shown);
    const known = after ?? before;
    const at = states.findIndex((state) => state.build === build);
    const [state, earlier] = [itemAt(states, at), itemAt(states, at - 1)];
    const change = {
      mastrNummer: number,
      einheitTyp: (known?.get('einheitTyp') ?? '') as (typeof CARRIERS)[number],
      art: kind,
      version: state.version,
      tag: state.day,
      nachVersion: earlier.version,
      nachTag: earlier.day,
      datumLetzteAktualisierung: known?.get('datumLetzteAktualisierung') ?? null,
      grund: kind === 'entfallen' ? (last?.reason ?? null) : null,
      felder: aenderungen.map(({ feld }) => feld),
      aenderungen,
    };
    return { row, change };
  });
}
