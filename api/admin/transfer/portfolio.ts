import { z } from 'zod';
import {
  type PortfolioRow,
  portfolioPage,
  portfolioRow,
  putPortfolio,
  RELATION_TYPES,
} from '../../../sql/org/records/portfolio.ts';
import { sql } from '../../../sql/org/statement.ts';
import { mastrNumber } from '../../wire/parameters.ts';
import { storable, timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { section } from './section.ts';

/** The portfolio with its removed entries, which readers of deltas still have to see. */
export const portfolio = section<PortfolioRow>({
  name: 'portfolio',
  shape: z.strictObject({
    id: uuid(),
    mastrNumber: mastrNumber(),
    relationType: z.enum(RELATION_TYPES, `must be one of ${RELATION_TYPES.join(', ')}`),
    externalRefs: z.record(storable(), storable()),
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
    removedAt: timestampOption().nullable(),
  }),
  key: 'mastrNumber',
  defaults: (now) => ({ externalRefs: {}, createdAt: now, updatedAt: now, removedAt: null }),
  read: (session, organisationId) => session.rows(portfolioRow, portfolioPage(organisationId, EVERYTHING)),
  async write(session, organisationId, items) {
    await session.run(putPortfolio(organisationId, items));
  },
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM portfolio_entries WHERE id = ANY (${ids}::uuid[])`),
});

const EVERYTHING = { relationTypes: null, includeRemoved: true, after: null, limit: Number.MAX_SAFE_INTEGER };
