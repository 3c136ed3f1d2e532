import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { dimensionNamed } from '../../sql/query/dimensions.ts';
import { groupRow, groupStatement } from '../../sql/query/groups.ts';
import { isInvented } from '../datasets/invented.ts';
import type { Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';

/** Entry points lead on a caller who knows only the address of the service. */
export const entryPointsShape = z
  .strictObject({
    service: z.string(),
    version: z.string().describe('Release of the service'),
    asOf: z.iso.date().nullable().describe('State of the data: the day of the export; null = none is served yet'),
    invented: z.boolean().describe('Whether the units are invented: the sample register, or another of the generator'),
    units: z.int().nullable().describe('Units served; null = none, or they could not be counted now'),
    links: z.strictObject({
      self: z.url(),
      app: z.url().describe('Dashboards of this service, for browsers'),
      documentation: z.url(),
      openapi: z.url(),
      guides: z.array(z.url()),
      errors: z.url(),
      changelog: z.url(),
      health: z.url(),
      me: z.url(),
    }),
    operations: z
      .array(z.strictObject({ method: z.string(), path: z.string(), summary: z.string(), documentation: z.url() }))
      .describe('Every operation under /v1'),
  })
  .meta({ id: 'EntryPoints' });

export type EntryPoints = z.infer<typeof entryPointsShape>;

/** What is served, in figures; null = nothing is, or they could not be counted now. */
export interface ServedData {
  readonly asOf: string | null;
  readonly units: number | null;
  /** Gross capacity of all units in operation. */
  readonly operatingKw: number | null;
  /** True for the sample, and other registers of the generator. */
  readonly invented: boolean;
}

const NOTHING: ServedData = { asOf: null, units: null, operatingKw: null, invented: false };

/** Finds out what is served. Neither a missing version nor an engine that does not answer keeps the index from answering. */
export async function servedData({ warehouse, log }: Service): Promise<ServedData> {
  const dataset = warehouse.acquire({ operation: 'index.show', request: null, trace: null });
  if (dataset === null) return NOTHING;
  const asOf = dataset.publication.exportDay;
  try {
    // Counted by the build, so this takes as long as counting rows.
    const request = { dimension: dimensionNamed('betriebsStatus'), conditions: [], ids: [], limit: 20, today: asOf };
    const groups = await dataset.query(groupRow, groupStatement(request, dataset.dialects.projections));
    const operating = groups.find(({ key }) => key === 'In Betrieb');
    const invented = await isInvented(dataset);
    return { asOf, units: groups[0]?.totalCount ?? 0, operatingKw: operating?.kw ?? 0, invented };
  } catch (error) {
    log.warn({ err: error }, 'the index could not count the units');
    return { ...NOTHING, asOf };
  } finally {
    dataset.release();
  }
}

/** @param guides paths of the guides, from the root of the service */
export const entryPoints = (
  { asOf, units, invented }: ServedData,
  operations: readonly Operation[],
  guides: readonly string[],
  baseUrl: string,
): EntryPoints => ({
  service: 'Energy asset data service',
  version: packageJson.version,
  asOf,
  invented,
  units,
  links: {
    self: `${baseUrl}/v1`,
    app: `${baseUrl}/app`,
    documentation: `${baseUrl}/docs`,
    openapi: `${baseUrl}/v1/openapi.json`,
    guides: guides.map((path) => `${baseUrl}/${path}`),
    errors: `${baseUrl}/docs/errors`,
    changelog: `${baseUrl}/docs/changelog`,
    health: `${baseUrl}/v1/health`,
    me: `${baseUrl}/v1/me`,
  },
  operations: operations
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ id, method, path, summary }) => ({
      method,
      path,
      summary,
      documentation: `${baseUrl}/docs/reference/${id}`,
    })),
});
