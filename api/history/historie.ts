import { z } from 'zod';
import { columnsRead } from '../../sql/catalogue/field.ts';
import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/texts.ts';
import { reusableOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { type EndedRow, endedRows, heldBy } from '../state/former.ts';
import { type State, statesOf } from '../state/state.ts';
import { grantedFields } from '../units/selection.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { mastrNumber } from '../wire/parameters.ts';
import { changeShape, comparableRows, comparedFields, toldChanges } from './compared.ts';

/** What a unit was like, version by version. */

const moment = z.strictObject({ version: z.string(), tag: z.iso.date().describe('Day of its export') });

const interval = z
  .strictObject({
    art: z
      .enum(['bestand', 'neu', 'geaendert', 'entfallen'])
      .describe(
        'How it began: `bestand`: it was so before the first version whose state is known; `neu`: it came, or came back',
      ),
    nach: moment
      .nullable()
      .describe('The last version that had it otherwise: when it changed between the two is unknown'),
    von: moment.nullable().describe('The first version that had it so; null with `bestand`'),
    bis: moment
      .nullable()
      .describe('The version that had it otherwise again; null: it is so in the version that is served'),
    grund: z
      .string()
      .nullable()
      .describe('With `entfallen`: geloescht, verschwunden or zurueckgenommen; null where it is not known'),
    datumLetzteAktualisierung: z.string().nullable().describe("The register's own time of update in this row"),
    aenderungen: z
      .array(changeShape)
      .describe('With `geaendert`: each field that changed, in the order of the catalogue'),
  })
  .meta({ id: 'UnitInterval' });

type Interval = z.infer<typeof interval>;

export const unitHistory = reusableOperation({
  id: 'units.historie',
  method: 'GET',
  path: '/v1/units/{id}/historie',
  summary: 'What an asset was like, and what changed',
  access: 'api',
  scope: 'units:read',
  module: 'analysis',
  cost: 'standard',
  source: 'register',
  pathParameters: z.strictObject({ id: mastrNumber().describe('MaStR number of the unit, begins with SEE') }),
  answer: z.strictObject({
    data: z.strictObject({ mastrNummer: z.string(), intervalle: z.array(interval).describe('Newest first') }),
    meta: z.strictObject({
      count: z.int(),
      bekanntAb: z.iso.date().nullable().describe('Day of the first version whose state is known; null: none is, yet'),
    }),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { id: 'SEE900000000001' } },
  question: ({ path: { id }, caller: { organisation } }) => ({
    id,
    modules: [...organisation.modules].sort(),
    signals: [...organisation.signals].sort(),
  }),
  async reply({ question: { id, modules, signals }, today, dataset }) {
    const version = dataset();
    const states = await statesOf(version);
    const fields = comparedFields(grantedFields(new Set(modules)));
    const rows = await rowsOfUnit(id, version, states);
    if (rows.length === 0) throw new Problem('NOT_FOUND', `The register has no unit ${id}, and had none`);
    const intervalle = intervalsOf(rows, states, (before, after) =>
      toldChanges(before, after, { fields, signals: new Set(signals), today }),
    );
    return {
      body: {
        data: { mastrNummer: id, intervalle: intervalle.reverse() },
        meta: { count: intervalle.length, bekanntAb: states[0]?.day ?? null },
      },
    };
  },
});

/** A row that a unit had or has. */
type KnownRow = Omit<EndedRow, 'end'> & { readonly end: number | null };

/** Reads all rows that are known of a unit, oldest first, without those of versions that were withdrawn. */
async function rowsOfUnit(number: string, version: Dataset, states: readonly State[]): Promise<KnownRow[]> {
  const columns = new Set(comparedFields(READABLE_FIELDS).flatMap(columnsRead));
  const [[now = null], held] = await Promise.all([version.units.read([number], columns), heldBy([number], version)]);
  const since = held.get(number)?.find(({ until }) => until === null)?.since ?? 0;
  const ended = await endedRows(held, new Map([[number, now]]), version);
  const first = states[0]?.build ?? version.publication.sequence;
  const rows: KnownRow[] = [...(ended.get(number) ?? [])];
  if (now !== null) rows.push({ texts: now, begin: since, end: null, reason: null });
  return comparableRows(
    rows
      .filter(({ begin, end }) => isOfStates(begin, states) && (end === null || end > first))
      .sort((a, b) => a.begin - b.begin),
  );
}

/** False for a row that began in a version which was withdrawn. */
export const isOfStates = (begin: number, states: readonly State[]): boolean =>
  begin <= (states[0]?.build ?? Number.POSITIVE_INFINITY) || states.some(({ build }) => build === begin);

/** @param rows oldest first */
function intervalsOf(
  rows: readonly KnownRow[],
  states: readonly State[],
  differences: (before: UnitTexts, after: UnitTexts) => Interval['aenderungen'],
): Interval[] {
  const momentOf = (build: number) => {
    const state = states.find((one) => one.build >= build);
    return state === undefined ? null : { version: state.version, tag: state.day };
  };
  const before = (build: number) => {
    const state = states.findLast((one) => one.build < build);
    return state === undefined ? null : { version: state.version, tag: state.day };
  };
  const first = states[0]?.build ?? Number.POSITIVE_INFINITY;
  const intervals: Interval[] = [];
  const begin = (
    build: number,
    rest: Pick<Interval, 'art' | 'aenderungen' | 'grund' | 'datumLetzteAktualisierung'>,
  ): void => {
    const last = intervals.pop();
    if (last !== undefined) intervals.push({ ...last, bis: momentOf(build) });
    intervals.push({ ...rest, nach: before(build), von: momentOf(build), bis: null });
  };
  for (const [index, { texts, begin: since, end, reason }] of rows.entries()) {
    const former = rows[index - 1];
    const row = { grund: null, datumLetzteAktualisierung: texts.get(UPDATED) ?? null };
    if (former?.end === since) {
      const aenderungen = differences(former.texts, texts);
      // A version that was withdrawn had it otherwise.
      if (aenderungen.length > 0) begin(since, { ...row, art: 'geaendert', aenderungen });
    } else if (former === undefined && since <= first) {
      intervals.push({ ...row, art: 'bestand', aenderungen: [], nach: null, von: null, bis: null });
    } else begin(since, { ...row, art: 'neu', aenderungen: [] });
    if (end !== null && rows[index + 1]?.begin !== end) {
      begin(end, {
        art: 'entfallen',
        aenderungen: [],
        grund: reason,
        datumLetzteAktualisierung: row.datumLetzteAktualisierung,
      });
    }
  }
  return intervals;
}

const UPDATED = 'datumLetzteAktualisierung';
