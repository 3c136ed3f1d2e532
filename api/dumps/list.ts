import { z } from 'zod';
import { attribution, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import { LATEST, MANIFEST, type PublishedDump, publishedDumps } from '../../sql/warehouse/dumps.ts';
import { operation } from '../operation/operation.ts';
import { filtersDigest } from '../wire/sync-token.ts';
import { DUMP_PROBLEMS, dumpsFolder, isOpenToAll, SHARED_DESCRIPTION } from './published.ts';

const dump = z
  .strictObject({
    name: z
      .string()
      .describe(
        'What it holds: `mastr_einheiten`, all units; `mastr_aenderungen`, what changed since the version before',
      ),
    version: z.string(),
    file: z.string(),
    url: z.url().describe('Where it is read, with a key unless the operator has opened dumps to everybody'),
    latest: z
      .url()
      .describe('The file of this name of the newest version that has it: an address that stays; its ETag changes'),
    manifest: z.url().describe('Where its columns are described'),
    bytes: z.int(),
    rows: z.int().describe('Units; of changes one for each field of a unit'),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    asOf: z.iso.date().describe('State of the data: the day of the export'),
    syncToken: z
      .string()
      .nullable()
      .describe(
        'GET /v1/units with it, and without filters, leads on from the dump; null = it holds changes, or the version is not in its line',
      ),
    quellenvermerk: z.string().describe('The attribution that the licence asks for, ready to be shown'),
  })
  .meta({ id: 'Dump' });

export const listDumps = operation({
  id: 'dumps.list',
  method: 'GET',
  path: '/dumps',
  summary: 'All units of a version as files',
  description: `The newest version comes first. ${SHARED_DESCRIPTION}`,
  access: 'api',
  openToAll: isOpenToAll,
  scope: 'units:read',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({ data: z.array(dump), meta: z.strictObject({ count: z.int() }) }),
  problems: [...DUMP_PROBLEMS, 'DATASET_NOT_READY'],
  async handle({ caller, dataset, today, service: { settings, syncTokens } }) {
    const dumps = await publishedDumps(dumpsFolder(settings, caller));
    const { anchors } = dataset().lineage;
    const filters = filtersDigest([]);
    const tokenOf = (version: string) =>
      anchors.has(version) ? syncTokens.sign({ versions: [version], filters, day: today }) : null;
    const urlOf = ({ version, file }: Pick<PublishedDump, 'version' | 'file'>) =>
      `${settings.BASE_URL}/dumps/${version}/${file}`;
    const data = dumps.map(({ path: _, format: __, ...dump }) => ({
      ...dump,
      url: urlOf(dump),
      latest: urlOf({ ...dump, version: LATEST }),
      manifest: `${urlOf(dump)}/${MANIFEST}`,
      syncToken: dump.name === 'mastr_einheiten' ? tokenOf(dump.version) : null,
      quellenvermerk: attribution(dump.asOf, UNIT_CHANGES),
    }));
    return { body: { data, meta: { count: data.length } } };
  },
});
