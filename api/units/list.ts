import { reusableOperation } from '../operation/operation.ts';
import { queryNotation } from '../wire/notation.ts';
import { UNITS_ANSWER, unitsAnswer } from './answer.ts';
import { dependsOnRecords } from './conditions.ts';
import { unitsQuery } from './query.ts';
import { unitsQuestion } from './question.ts';

/** Units that meet every filter, page by page. */
export const listUnits = reusableOperation({
  id: 'units.list',
  method: 'GET',
  path: '/v1/units',
  summary: 'List assets',
  access: 'api',
  shared: true,
  scope: 'units:read',
  module: 'analysis',
  cost: 'standard',
  source: 'register',
  dependsOnRecords,
  query: unitsQuery(queryNotation),
  ...UNITS_ANSWER,
  example: { query: 'einheitTyp=wind,solar&bundesland=Bayern&sort=bruttoleistungKw:desc&limit=3' },
  question: ({ query, caller, records, service }) => unitsQuestion(query, { caller, records, service }),
  reply: (call) => unitsAnswer(call, queryNotation),
});
