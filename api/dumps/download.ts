import { z } from 'zod';
import {
  dumpVersion,
  type Format,
  MANIFEST,
  manifestShape,
  publishedDump,
  publishedManifest,
} from '../../sql/warehouse/dumps.ts';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { StoredFile } from '../wire/stored-file.ts';
import { DUMP_PROBLEMS, dumpsFolder, isOpenToAll, SHARED_DESCRIPTION } from './published.ts';

const MEDIA: Readonly<Record<Format, string>> = {
  parquet: 'application/vnd.apache.parquet',
  duckdb: 'application/octet-stream',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

const pathParameters = z.strictObject({
  version: z
    .string()
    .describe('From GET /dumps; or `latest`, or a day such as 2026-11-01, for the newest version that has the file'),
  file: z.string().describe('From GET /dumps'),
});

const missing = () => new Problem('NOT_FOUND', 'There is no such dump; GET /dumps lists them');

/** What the file beside a dump says. */
const describedDump = manifestShape
  .extend({
    columns: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        unit: z.string().nullable(),
        additive: z
          .boolean()
          .optional()
          .describe('Whether values may be added up; missing in dumps of an earlier release'),
        meaning: z.string(),
      }),
    ),
  })
  .loose()
  .meta({ id: 'DumpManifest' });

export const showManifest = operation({
  id: 'dumps.manifest',
  method: 'GET',
  path: `/dumps/{version}/{file}/${MANIFEST}`,
  summary: 'What one of these files has in it',
  description: `Version, day, rows, SHA-256, licence, attribution, and of each column kind, unit of measure, whether it may be added up, and meaning (in German). ${SHARED_DESCRIPTION}`,
  access: 'api',
  openToAll: isOpenToAll,
  scope: 'units:read',
  cost: 'cheap',
  source: 'service',
  answer: describedDump,
  pathParameters,
  problems: DUMP_PROBLEMS,
  async handle({ path, caller, service: { settings } }) {
    const root = dumpsFolder(settings, caller);
    const version = await dumpVersion(root, path.version, path.file);
    const text = version === null ? null : await publishedManifest(root, version, path.file);
    if (text === null) throw missing();
    return { body: JSON.parse(text) };
  },
});

export const downloadDump = operation({
  id: 'dumps.download',
  method: 'GET',
  path: '/dumps/{version}/{file}',
  summary: 'One of these files',
  description:
    'Takes `Range` with one or several ranges, `If-Range` and `If-None-Match`; the strong `ETag` is the SHA-256 of the ' +
    `file. Each range is a call of its own. ${SHARED_DESCRIPTION}`,
  access: 'api',
  openToAll: isOpenToAll,
  scope: 'units:read',
  cost: 'cheap',
  source: 'file',
  media: '*/*',
  answer: null,
  otherStatuses: { 206: 'The ranges that were asked for; several of them as multipart/byteranges' },
  pathParameters,
  problems: [...DUMP_PROBLEMS, 'RANGE_NOT_SATISFIABLE', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED'],
  async handle({ path, caller, service: { settings } }) {
    const root = dumpsFolder(settings, caller);
    const named = await dumpVersion(root, path.version, path.file);
    const dump = named === null ? null : await publishedDump(root, named, path.file);
    if (dump === null) throw missing();
    const { version, file, bytes, sha256, format } = dump;
    return {
      body: new StoredFile({ path: dump.path, name: `${version}-${file}`, media: MEDIA[format], bytes, sha256 }),
    };
  },
});
