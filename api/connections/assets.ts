import { z } from 'zod';
import { type AssetRow, assetPage, assetRow } from '../../sql/org/records/connection-assets.ts';
import { isAlive } from '../../sql/org/records/connections.ts';
import { RELATION_TYPES } from '../../sql/org/records/portfolio.ts';
import { operation } from '../operation/operation.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { connectionPath, EXAMPLE_CONNECTION } from './connection.ts';
import { findConnection } from './find-connection.ts';

const asset = z
  .strictObject({
    mastrNummer: z.string().describe('MaStR number of the unit'),
    beziehung: z
      .enum(RELATION_TYPES)
      .describe("The inviting side's role to the unit when it was added; later changes are not followed"),
    hinzugefuegtAm: z.iso.datetime(),
    geaendertAm: z.iso.datetime(),
  })
  .meta({ id: 'ConnectionAsset' });

const assetOf = (row: AssetRow): z.infer<typeof asset> => ({
  mastrNummer: row.mastrNumber,
  beziehung: row.relationType,
  hinzugefuegtAm: row.addedAt,
  geaendertAm: row.updatedAt,
});

/** Units in the scope of a connection, by number; both sides see the same. */
export const listConnectionAssets = operation({
  id: 'connections.assets',
  method: 'GET',
  path: '/v1/connections/{id}/assets',
  summary: 'Units in the scope of a connection, by number',
  description:
    'Both sides see the same units. Fields cross a connection, and threads speak, only about a unit that is listed here. A ' +
    'connection that has ended lists none.',
  access: 'api',
  scope: 'connections:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  pathParameters: connectionPath,
  query: z.strictObject(pageParameters),
  answer: z.strictObject({
    data: z.array(asset),
    meta: z.strictObject({
      ...listMetaShape,
      aktiv: z.boolean().describe('Whether the connection is accepted now'),
    }),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_CONNECTION } },
  handle: ({ path, query, search, service, caller, records }) =>
    records(async (session) => {
      const organisationId = caller.organisation.id;
      const { id, status } = await findConnection(session, organisationId, path.id);
      const page = await pageOf<AssetRow>({
        path: `/v1/connections/${id}/assets`,
        query,
        search,
        service,
        question: organisationId,
        keyOf: (row) => [row.mastrNumber],
        read: async (after, limit) =>
          isAlive(status) ? session.rows(assetRow, assetPage(id, after === null ? null : String(after[0]), limit)) : [],
      });
      const meta = { ...page.meta, aktiv: status === 'ACCEPTED' };
      return { headers: page.headers, body: { data: page.rows.map(assetOf), meta } };
    }),
});
