import { z } from 'zod';
import {
  externalRefsShape,
  type PortfolioRow,
  portfolioPage,
  portfolioRow,
  RELATION_TYPES,
} from '../../sql/org/records/portfolio.ts';
import { operation } from '../operation/operation.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { booleanParameter, listParameter } from '../wire/parameters.ts';

const PATH = '/v1/portfolio';

const entry = z
  .strictObject({
    id: z.uuid(),
    mastrNummer: z.string().describe('MaStR number of the unit'),
    relationType: z.enum(RELATION_TYPES).describe('Role of the organisation to the unit'),
    externalRefs: externalRefsShape.describe('Identifiers in other systems: {system: id}'),
    angelegtAm: z.iso.datetime(),
    geaendertAm: z.iso.datetime().describe('Last change of any kind; the anchor for delta reading'),
    entferntAm: z.iso.datetime().nullable().describe('Only with includeDeleted=true not null'),
  })
  .meta({ id: 'PortfolioEntry' });

const entryOf = (row: PortfolioRow): z.infer<typeof entry> => ({
  id: row.id,
  mastrNummer: row.mastrNumber,
  relationType: row.relationType,
  externalRefs: row.externalRefs,
  angelegtAm: row.createdAt,
  geaendertAm: row.updatedAt,
  entferntAm: row.removedAt,
});

/** Entries of the organisation's portfolio, newest first. */
export const listPortfolio = operation({
  id: 'portfolio.list',
  method: 'GET',
  path: PATH,
  summary: 'Entries of the portfolio, newest first',
  access: 'api',
  scope: 'portfolio:read',
  module: 'portfolio',
  cost: 'standard',
  source: 'service',
  query: z.strictObject({
    ...pageParameters,
    relationType: listParameter({ closed: RELATION_TYPES }).optional().describe('Roles'),
    includeDeleted: booleanParameter().optional().describe('true: removed entries, too'),
  }),
  answer: z.strictObject({ data: z.array(entry), meta: z.strictObject(listMetaShape) }),
  example: { query: 'relationType=OPERATOR,OWNER&includeDeleted=true' },
  async handle({ query, search, service, caller, records }) {
    const { id } = caller.organisation;
    const filter = { relationTypes: query.relationType ?? null, includeRemoved: query.includeDeleted ?? false };
    const page = await pageOf<PortfolioRow>({
      path: PATH,
      query,
      search,
      service,
      question: [id, filter],
      keyOf: (row) => [row.createdAt, row.id],
      read: (after, limit) =>
        records((session) =>
          session.rows(portfolioRow, portfolioPage(id, { ...filter, after: after as [string, string] | null, limit })),
        ),
    });
    return { headers: page.headers, body: { data: page.rows.map(entryOf), meta: page.meta } };
  },
});
