import { z } from 'zod';
import { fold } from '../../sql/query/fold.ts';
import { OPERATOR_NUMBERS, operatorNumberRow, operatorRow, operatorsStatement } from '../../sql/query/grid.ts';
import { plainSigns } from '../../sql/register/mastr-number.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { momentOf, mustHoldAt, stateShape } from '../state/state.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered } from '../units/filters.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { spaceMeta, spaceShape } from '../units/space.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, text, wholeNumber } from '../wire/parameters.ts';
import { capacityShape } from './figures.ts';
import { counted, gridParameters } from './question.ts';

const DEFAULT_OPERATORS = 100;
/** There are some 900 in the register. */
const MAX_OPERATORS = 2000;

const sums = capacityShape.extend({
  nettonennleistungKw: capacityShape.shape.nettonennleistungKw
    .nullable()
    .describe('Sum of the net capacity (kW); null where an earlier release built the version'),
});

const operator = z
  .strictObject({
    netzbetreiber: z.string().describe('As the filter of that name takes it'),
    mastrNummern: z.array(z.string()).describe('Its numbers; several operators of one name stand in one row'),
    einheiten: z.int().describe('All of its units that meet the filters'),
    bestand: sums.describe('Units in operation'),
    pipeline: sums.describe('Units planned or being built'),
  })
  .meta({ id: 'GridOperator' });

/** Grid operators to choose from. */
export const listGridOperators = reusableOperation({
  id: 'netz.betreiber',
  method: 'GET',
  path: '/v1/netz/netzbetreiber',
  summary: 'Grid operators with the sums of their units',
  access: 'api',
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query: z
    .strictObject({
      q: text(100)
        .refine((typed) => fold(typed) !== '', 'must have a letter, a digit or a sign beside blanks and accents')
        .optional()
        .describe('Part of the name, whatever its case and accents, or of the MaStR number'),
      limit: wholeNumber(1, MAX_OPERATORS).default(DEFAULT_OPERATORS).describe('Operators at most'),
      ...gridParameters,
    })
    .superRefine(rangesAreOrdered, always),
  answer: z.strictObject({
    data: z.array(operator),
    meta: z.strictObject({
      count: z.int(),
      truncated: z.boolean().describe('Whether there are more'),
      ...stateShape,
      ...spaceShape,
      ...hintsShape,
    }),
  }),
  table: 'data',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'q=netz&limit=5' },
  async question({ query: { q, limit, stand, auffaellige, ...filters }, caller, records, service }) {
    const conditions = await resolveConditions(filters, { caller, records, service });
    mustHoldAt(stand, conditions, queryNotation);
    const typed = q === undefined ? null : fold(plainSigns(q));
    return { typed, limit, stand, auffaellige, conditions: asked(conditions) };
  },
  async reply({ question: { typed, limit, stand, auffaellige, ...question }, ...call }) {
    const { version, today, asOf, stateMeta } = await momentOf(stand, call);
    const conditions = conditionsOf(question.conditions);
    const criteria = await withUnitsFound(version, { conditions: counted(conditions, auffaellige), today });
    // Without a filter everybody gets the same rows, of whatever name.
    const read = criteria.conditions.length === 0 ? version.kept : version.query;
    const [rows, numbers] = await Promise.all([
      read(operatorRow, operatorsStatement(criteria, version.dialects.projections)),
      version.kept(operatorNumberRow, OPERATOR_NUMBERS),
    ]);
    const numbersOf = Map.groupBy(numbers, ({ name }) => name);
    const found = rows
      .flatMap(({ netzbetreiber: name, ...row }) => {
        const own = name === null ? [] : (numbersOf.get(name) ?? []);
        return name === null ? [] : [{ name, ...row, numbers: own.map(({ number }) => number) }];
      })
      .map((row) => ({ ...row, rank: rankOf(row, typed) }))
      .filter(({ rank }) => rank > 0)
      .sort((one, other) => other.rank - one.rank || other.stockKw - one.stockKw || (one.name < other.name ? -1 : 1));
    const data = found.slice(0, limit).map((row) => ({
      netzbetreiber: row.name,
      mastrNummern: row.numbers,
      einheiten: row.allCount,
      bestand: {
        anzahl: row.stockCount,
        bruttoleistungKw: row.stockKw,
        nettonennleistungKw: row.stockNetKw ?? null,
      },
      pipeline: {
        anzahl: row.pipelineCount,
        bruttoleistungKw: row.pipelineKw,
        nettonennleistungKw: row.pipelineNetKw ?? null,
      },
    }));
    const hints = await hintsOf(openValues(conditions), rows.length === 0, version);
    // Those without an operator are a row, too.
    const units = rows.reduce((sum, { allCount }) => sum + allCount, 0);
    const space = await spaceMeta(criteria, units, version);
    const told = { ...stateMeta, ...space, ...hints };
    return { asOf, body: { data, meta: { count: data.length, truncated: found.length > data.length, ...told } } };
  },
});

/** Says how well an operator matches: 0 is not at all, 2 is where a name begins with the text. */
function rankOf(
  { name, numbers }: { readonly name: string; readonly numbers: readonly string[] },
  typed: string | null,
) {
  if (typed === null) return 1;
  const folded = fold(name);
  if (folded.startsWith(typed)) return 2;
  return folded.includes(typed) || numbers.some((number) => number.toLowerCase().includes(typed)) ? 1 : 0;
}
