import { z } from 'zod';
import { whereAll } from '../../sql/query/conditions.ts';
import type { Dialect } from '../../sql/query/dialect.ts';
import { REFERENCE_SETS } from '../../sql/query/reference-sets.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { binder, type WarehouseStatement } from '../../sql/query/statement.ts';
import { hintsOf, hintsShape } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { listParameter, wholeNumber } from '../wire/parameters.ts';

const SQL = sqlFile(import.meta.url, 'awards.sql');

const award = z
  .strictObject({
    id: z.int().describe('Stays the same for ever'),
    zuschlagsnummer: z.string().nullable(),
    gebotsmengeKw: z.number().nullable().describe('Awarded volume (kW); lists until the spring of 2024 do not have it'),
    bundesland: z.string().nullable(),
    landkreis: z.string().nullable(),
    plz: z.string().nullable(),
    gemeinde: z.string().nullable(),
    gemarkung: z.string().nullable(),
    flurstueck: z.string().nullable().describe('Parcels of the list, in one spelling'),
    flurstueckRoh: z.string().nullable().describe('The same as published'),
    mastrNummern: z.array(z.string()).describe('Units; empty: none is linked, mostly because it is not registered yet'),
    foerderNummern: z.array(z.string()).describe('EEG plants'),
    foerderNummernAbgeleitet: z.array(z.string()).describe('Those of foerderNummern that the list does not name'),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    geoGenauigkeit: z
      .enum(['EINHEIT', 'FLURSTUECK', 'GEMARKUNG', 'GEMEINDE', 'LANDKREIS', 'KEINE'])
      .describe('What the coordinates stand for'),
    standortQuelle: z
      .enum(['PUBLIKATION', 'REGISTER'])
      .nullable()
      .describe('REGISTER: a location that the list lacks was filled from the linked unit; null: there is none'),
  })
  .meta({ id: 'Award' });

/** The engines hand over an empty list as none. */
const lists = {
  mastrNummern: z.array(z.string()).nullable(),
  foerderNummern: z.array(z.string()).nullable(),
  foerderNummernAbgeleitet: z.array(z.string()).nullable(),
};

const awardRow = z.strictObject({ ...award.shape, ...lists });

type AwardRow = z.infer<typeof awardRow>;

const awardFrom = (row: AwardRow): z.infer<typeof award> => ({
  ...row,
  mastrNummern: row.mastrNummern ?? [],
  foerderNummern: row.foerderNummern ?? [],
  foerderNummernAbgeleitet: row.foerderNummernAbgeleitet ?? [],
});

/** Awards of one tender date, in the order of their numbers. */
export const listAwards = reusableOperation({
  id: 'ausschreibungen.zuschlaege',
  method: 'GET',
  path: '/v1/ausschreibungen/{id}/zuschlaege',
  summary: 'Awards of a tender date',
  access: 'api',
  scope: 'ausschreibungen:read',
  module: 'ausschreibungen',
  cost: 'standard',
  source: 'register',
  pathParameters: z.strictObject({
    id: wholeNumber(0, 999_999_999_999_999).describe('Id of GET /v1/ausschreibungen'),
  }),
  query: z.strictObject({
    ...pageParameters,
    bundesland: listParameter().optional().describe('Federal states, as the answer has them'),
  }),
  answer: z.strictObject({ data: z.array(award), meta: z.strictObject({ ...listMetaShape, ...hintsShape }) }),
  table: 'data',
  problems: ['NOT_FOUND'],
  example: { path: { id: '2023050110' }, query: 'bundesland=Brandenburg,Niedersachsen&limit=5' },
  question: ({ path, query }) => ({ ...query, ...path }),
  async reply({ question: { id, ...query }, service, dataset }) {
    const version = dataset();
    await mustExist(id, version);
    const { bundesland = null } = query;
    const page = await pageOf<AwardRow>({
      path: `/v1/ausschreibungen/${id}/zuschlaege`,
      query,
      search: null,
      service,
      question: bundesland,
      keyOf: (row) => [row.id],
      read: (after, limit) =>
        version.query(
          awardRow,
          awardsStatement({ id, states: bundesland, after: Number(after?.[0] ?? 0), limit }, version.dialects.units),
        ),
    });
    const set = REFERENCE_SETS.get('bundesland');
    const asked =
      bundesland === null || set === undefined ? [] : [{ parameter: 'bundesland', set, values: bundesland }];
    const hints = await hintsOf(asked, page.rows.length === 0, version);
    return { page: page.links, body: { data: page.rows.map(awardFrom), meta: { ...page.meta, ...hints } } };
  },
});

/** @throws Problem NOT_FOUND */
async function mustExist(id: number, version: VersionReader): Promise<void> {
  const statement = {
    text: 'SELECT CAST(count(*) AS DOUBLE) AS total FROM gebotstermine WHERE id = $id',
    values: { id },
  };
  // A version of an earlier release has no tenders.
  if (version.tables.has('gebotstermine') && (await version.total(statement)) > 0) return;
  throw new Problem('NOT_FOUND', `There is no tender date ${id}; GET /v1/ausschreibungen lists them`);
}

interface AwardsRequest {
  readonly id: number;
  /** Null = all, those without a state included. */
  readonly states: readonly string[] | null;
  /** Id of the last award delivered. */
  readonly after: number;
  readonly limit: number;
}

function awardsStatement({ id, states, after, limit }: AwardsRequest, dialect: Dialect): WarehouseStatement {
  const values = binder({ id, after, limit });
  const where = [
    'award.gebotstermin = CAST($id AS INTEGER)',
    'award.id > CAST($after AS BIGINT)',
    ...(states === null ? [] : [dialect.isAmong('award.bundesland', values.bind(states))]),
  ];
  return { text: withPieces(SQL, { where: whereAll(where) }), values: values.values };
}
