import { reusableOperation } from '../operation/operation.ts';
import { bodyNotation } from '../wire/notation.ts';
import { UNITS_ANSWER, unitsAnswer } from './answer.ts';
import { equivalentQuery } from './equivalent-query.ts';
import { unitsQuery } from './query.ts';
import { unitsQuestion } from './question.ts';

/** The same as GET /v1/units, with the query in the body. It changes nothing. */
export const searchUnits = reusableOperation({
  id: 'units.search',
  method: 'POST',
  path: '/v1/units/search',
  summary: 'List assets, with the filters in the body',
  description:
    'The equivalent twin of GET /v1/units: the same filters under the same names, the same answer, and a cursor of the ' +
    'one is accepted by the other. Changes nothing and needs no `Idempotency-Key`. `Link` leads to GET /v1/units; where ' +
    'that address would be longer than 8 KiB the header is left out, and `meta` alone tells.',
  access: 'api',
  scope: 'units:read',
  module: 'analysis',
  cost: 'standard',
  source: 'service',
  body: unitsQuery(bodyNotation),
  ...UNITS_ANSWER,
  problems: [...UNITS_ANSWER.problems, 'DATASET_NOT_READY'],
  example: {
    body: { einheitTyp: ['wind', 'solar'], bundesland: ['Bayern'], sort: 'bruttoleistungKw:desc', limit: 3 },
  },
  asQuery: equivalentQuery,
  question: ({ body, caller, records, service }) => unitsQuestion(body, { caller, records, service }),
  reply: (call) => unitsAnswer(call, bodyNotation),
});
