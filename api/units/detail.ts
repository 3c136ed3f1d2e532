import { z } from 'zod';
import { reusableOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { momentOf, standParameter, stateShape } from '../state/state.ts';
import { queryNotation } from '../wire/notation.ts';
import { listParameter, mastrNumber } from '../wire/parameters.ts';
import { neighboursOf, neighboursShape } from './neighbours.ts';
import { unitsByNumber } from './read.ts';
import { grantedFields } from './selection.ts';
import { unitFrom, wholeUnit } from './unit.ts';

/** One unit with all its blocks, flat; `betreiber` repeats betreiberName. */
export const showUnit = reusableOperation({
  id: 'units.show',
  method: 'GET',
  path: '/v1/units/{id}',
  summary: 'One asset',
  access: 'api',
  scope: 'units:read',
  module: 'analysis',
  cost: 'standard',
  source: 'register',
  pathParameters: z.strictObject({ id: mastrNumber().describe('MaStR number of the unit, begins with SEE') }),
  query: z.strictObject({
    include: listParameter({ closed: ['standort'] })
      .optional()
      .describe('`standort` adds `nachbarn`; every block is there without being named'),
    stand: standParameter(queryNotation),
  }),
  answer: z.strictObject({
    data: wholeUnit.extend({ nachbarn: neighboursShape.optional() }).meta({ id: 'UnitDetail' }),
    meta: z.strictObject(stateShape),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { id: 'SEE900000000001' } },
  question: ({ path: { id }, query: { include = [], stand }, caller: { organisation } }) => ({
    id,
    withNeighbours: include.length > 0,
    stand,
    modules: [...organisation.modules].sort(),
    signals: [...organisation.signals].sort(),
  }),
  async reply({ question: { id, withNeighbours, stand, modules, signals }, service, ...call }) {
    const fields = grantedFields(new Set(modules));
    const { version, today, stateMeta } = await momentOf(stand, call);
    const [row] = await unitsByNumber(version, [id], fields, today);
    if (row === undefined)
      throw new Problem(
        'NOT_FOUND',
        stand === undefined ? `The register has no unit ${id}` : `The register had no unit ${id} on ${stand}`,
      );
    const unit = unitFrom(row, fields, new Set(signals), service.settings);
    const location = row.lokationMastrNummer as string | null;
    const beside = withNeighbours ? { nachbarn: await neighboursOf(id, location, version, today) } : {};
    return { body: { data: { ...unit, betreiber: row.betreiberName ?? null, ...beside }, meta: stateMeta } };
  },
});
