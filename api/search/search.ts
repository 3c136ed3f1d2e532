import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { fold } from '../../sql/query/fold.ts';
import { reusableOperation } from '../operation/operation.ts';
import { asksPortfolio, portfolioShape, portfolioUnits } from '../units/portfolio.ts';
import { queryNotation } from '../wire/notation.ts';
import { listParameter, oneWord, wholeNumber } from '../wire/parameters.ts';
import { find, type SearchRequest, typedText } from './find.ts';
import { hitShape } from './hit.ts';

const DEFAULT_HITS = 20;
const MAX_HITS = 50;

/** Units and market actors by name or number, the best first, for an input field. */
export const search = reusableOperation({
  id: 'search.find',
  method: 'GET',
  path: '/v1/search',
  summary: 'Units and market actors by name or number',
  description:
    'Capitals and accents make no difference, and ß is ss. A MaStR number that is typed in full comes first, then names ' +
    'that begin with the text, then those with a word that does, then those that hold it anywhere; behind all of them, in ' +
    'the same order, actors that have no units. Of equally good hits ' +
    'actors and units take turns: the actor with the most units first, the unit with the largest gross capacity first. ' +
    'Names of natural persons are neither searched nor delivered.',
  access: 'api',
  scope: 'units:read',
  cost: 'standard',
  source: 'register',
  dependsOnRecords: asksPortfolio,
  query: z.strictObject({
    q: z
      .string()
      .min(2, { error: 'must have 2 to 100 characters', abort: true })
      .max(100, 'must have 2 to 100 characters')
      .refine((text) => fold(text).length >= 2, 'must have 2 letters, digits or signs beside blanks and accents')
      .describe('What is searched for'),
    typ: oneWord(['marktakteur', 'anlage']).optional().describe('Only hits of this kind'),
    bundesland: listParameter().optional().describe('Federal states of unit or actor'),
    einheitTyp: listParameter({ closed: CARRIERS }).optional().describe('Energy carriers; actors have none'),
    ...portfolioShape(queryNotation),
    limit: wholeNumber(1, MAX_HITS).default(DEFAULT_HITS).describe('Most hits'),
  }),
  answer: z.strictObject({
    data: z.array(hitShape),
    meta: z.strictObject({ count: z.int(), truncated: z.boolean().describe('Whether there are more hits') }),
  }),
  problems: ['FILTER_CONFLICT', 'NOT_FOUND'],
  example: { query: 'q=park&bundesland=Niedersachsen&limit=5' },
  question: async ({
    query: { q, typ, bundesland, einheitTyp, limit, ...portfolio },
    ...call
  }): Promise<SearchRequest> => ({
    ...typedText(q),
    kinds: typ === undefined ? ['marktakteur', 'anlage'] : [typ],
    states: bundesland ?? null,
    carriers: einheitTyp ?? null,
    limit,
    among: asksPortfolio(portfolio) ? await portfolioUnits(portfolio, call) : undefined,
  }),
  async reply({ question, service, today, dataset }) {
    const { hits, truncated } = await find(dataset(), question, service.settings.BASE_URL, today);
    return { body: { data: hits, meta: { count: hits.length, truncated } } };
  },
});
