import { z } from 'zod';
import { REFERENCE_SETS } from '../../sql/query/reference-sets.ts';
import { reusableOperation } from '../operation/operation.ts';

const KINDS = ['static', 'enumerable', 'searchable'] as const;

/** The filters that have a value help. */
export const listReferenceSets = reusableOperation({
  id: 'reference.list',
  method: 'GET',
  path: '/v1/reference',
  summary: 'Filters that have a value help',
  description:
    'Of each: whether its values are a fixed list (`static`), can all be listed (`enumerable`), or are too many, so ' +
    'that they are searched with `q` (`searchable`).',
  access: 'api',
  shared: true,
  scope: 'reference:read',
  cost: 'standard',
  source: 'register',
  answer: z.strictObject({
    data: z.array(
      z
        .strictObject({
          name: z.string().describe('Name of the set'),
          filter: z.string().describe('The filter whose values these are'),
          kind: z.enum(KINDS),
          description: z.string(),
          requiresQuery: z.boolean().describe('Whether `q` is required'),
        })
        .meta({ id: 'ReferenceSet' }),
    ),
    meta: z.strictObject({ count: z.int() }),
  }),
  question: () => null,
  async reply() {
    const data = [...REFERENCE_SETS.values()].map(({ name, field, kind }) => ({
      name,
      filter: name,
      kind,
      description: field.meaning,
      requiresQuery: kind === 'searchable',
    }));
    return { body: { data, meta: { count: data.length } } };
  },
});
