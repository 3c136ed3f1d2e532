import { z } from 'zod';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { type Publication, parseVersionId } from '../../sql/warehouse/versions.ts';
import { operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import type { VersionReader } from '../warehouse/version.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { inWords, WEIGHTS } from './findings.ts';

/** Publications before the one that is served, of which there is one a night. */
const MOST_EARLIER = 30;

const publicationShape = {
  version: z.string().describe('Day of the export and number of the build: 20261101-0007'),
  exportTag: z.iso.date().describe('Day of the export: the state of the data'),
  veroeffentlichtAm: z.iso.datetime().describe('Since when it is served'),
  grund: z
    .enum(['bau', 'ruecknahme'])
    .describe('bau: it was built; ruecknahme: a later version was withdrawn, and this one is served again'),
};

const count = z.int();

const exportShape = z
  .strictObject({
    name: z.string().describe('File or folder that was read'),
    fassung: z
      .string()
      .nullable()
      .describe('Release of the form of the export, such as 26.1; null = its name has none'),
    dateien: count.describe('Files in it'),
    gelesen: count.describe('Records in all files: the sum of the following four'),
    geladen: count.describe('Records that were taken over'),
    doppelt: count.describe('Records that another one of the same key replaced'),
    abgelehnt: count.describe('Records that could not be read; the findings say why'),
    ungenutzt: count.describe('Records of files that the service does not use'),
  })
  .meta({ id: 'ExportAccount' });

const shape = z
  .strictObject({
    ...publicationShape,
    gebautAm: z.iso.datetime().describe('When it was built'),
    zeilen: count.describe('Units served'),
    historieSeit: z.iso
      .date()
      .nullable()
      .describe(
        'Day of the earliest export that planned days, delays and first registrations are known from; null = unknown',
      ),
    export: exportShape.nullable().describe('What became of the records of the export; null = unknown'),
    befunde: z
      .array(
        z.strictObject({
          art: z.string().describe('Kind of finding; the guide for operators lists them'),
          anzahl: count.describe('How often'),
          stufe: z
            .enum(WEIGHTS)
            .describe(
              'warnung: something was not read; hinweis: some values or links are missing or not sure; info: nothing is missing',
            ),
          text: z.string().describe('What it means, in a German sentence'),
          description: z.string().describe('The same in English'),
        }),
      )
      .nullable()
      .describe('What the build found in the export, the weightiest first; null = unknown'),
    frueher: z
      .array(z.strictObject(publicationShape))
      .describe(`Publications before this one, newest first, at most ${MOST_EARLIER}`),
  })
  .meta({ id: 'DatasetVersion' });

/** The version that is served, and what its build found. */
export const showVersion = operation({
  id: 'datasets.version',
  method: 'GET',
  path: '/v1/datasets/version',
  summary: 'The version that is served, and what its build found',
  access: 'api',
  scope: 'reference:read',
  cost: 'standard',
  source: 'register',
  dependsOnPublication: true,
  answer: z.strictObject({ data: shape, meta: z.strictObject({}) }),
  async handle({ dataset, service }) {
    const version = dataset();
    const { builtAt, ...origin } = await originOf(version);
    const data = {
      ...published(version.publication),
      gebautAm: builtAt,
      zeilen: await version.total({ text: 'SELECT CAST(count(*) AS DOUBLE) AS total FROM units', values: {} }),
      historieSeit: await historySince(version, service),
      export: await accountOf(version, origin),
      befunde: await findingsOf(version),
      frueher: version.publications.slice(0, -1).slice(-MOST_EARLIER).reverse().map(published),
    };
    return { body: { data, meta: {} } };
  },
});

const published = ({ version, exportDay, publishedAt, cause }: Publication) => ({
  version,
  exportTag: exportDay,
  veroeffentlichtAm: publishedAt,
  grund: cause === 'rollback' ? ('ruecknahme' as const) : ('bau' as const),
});

const originRow = z.strictObject({ name: z.string(), level: z.string().nullable(), builtAt: z.string() });

interface Origin {
  readonly name: string;
  readonly level: string | null;
}

async function originOf(version: VersionReader): Promise<Origin & { readonly builtAt: string }> {
  const text = 'SELECT exportName AS name, exportLevel AS level, CAST(builtAt AS VARCHAR) AS "builtAt" FROM dataset';
  const { builtAt, ...origin } = firstRow(await version.query(originRow, { text, values: {} }));
  // Both engines write the moment in UTC, with a blank between day and time, and with as many digits as they keep.
  return { ...origin, builtAt: new Date(`${builtAt.replace(' ', 'T')}Z`).toISOString() };
}

const accountRow = z.strictObject({
  files: z.number(),
  read: z.number(),
  loaded: z.number(),
  duplicate: z.number(),
  refused: z.number(),
});

const ACCOUNT = `
  SELECT
    CAST(count(*) AS DOUBLE) AS files,
    CAST(coalesce(sum(gelesen), 0) AS DOUBLE) AS "read",
    CAST(coalesce(sum(geladen), 0) AS DOUBLE) AS loaded,
    CAST(coalesce(sum(doppelt), 0) AS DOUBLE) AS duplicate,
    CAST(coalesce(sum(abgelehnt), 0) AS DOUBLE) AS refused
  FROM dateien`;

/** @returns null where the version has no account of its export */
async function accountOf(version: VersionReader, { name, level }: Origin): Promise<z.infer<typeof exportShape> | null> {
  if (!version.tables.has('dateien')) return null;
  const { files, read, loaded, duplicate, refused } = firstRow(
    await version.query(accountRow, { text: ACCOUNT, values: {} }),
  );
  return {
    name,
    fassung: level,
    dateien: files,
    gelesen: read,
    geladen: loaded,
    doppelt: duplicate,
    abgelehnt: refused,
    ungenutzt: read - loaded - duplicate - refused,
  };
}

const findingRow = z.strictObject({ kind: z.string(), count: z.number() });

const FINDINGS_COUNTED = 'SELECT befund AS kind, CAST(sum(anzahl) AS DOUBLE) AS "count" FROM befunde GROUP BY befund';

/** @returns null where the version does not know */
async function findingsOf(version: VersionReader) {
  if (!version.tables.has('befunde')) return null;
  return inWords(await version.query(findingRow, { text: FINDINGS_COUNTED, values: {} }));
}

/** The part of a build's report that says which older exports the version has the history of. */
const historyShape = z.object({ historyDays: z.array(z.iso.date()) });

/**
 * The history comes from the exports of the versions that this one was built upon, and from older exports (--backfill),
 * which only the report of the build knows.
 * @returns null where there is no such report, or it cannot be read now
 */
async function historySince({ publication, lineage }: Dataset, { warehouse, log }: Service): Promise<string | null> {
  try {
    const report = await warehouse.report(publication.version);
    const { data } = historyShape.safeParse(JSON.parse(report?.text ?? 'null'));
    if (data === undefined) return null;
    const builtUpon = [...lineage.anchors.keys()].flatMap((id) => parseVersionId(id)?.exportDay ?? []);
    return [...data.historyDays, ...builtUpon].sort()[0] ?? null;
  } catch (error) {
    log.warn({ err: error, version: publication.version }, 'the report of the build could not be read');
    return null;
  }
}
