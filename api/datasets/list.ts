import { z } from 'zod';
import { reusableOperation } from '../operation/operation.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { isInvented } from './invented.ts';
import { SERVED_DATASETS, type ServedDataset } from './served.ts';
import { stateOf } from './state.ts';

const shape = z
  .strictObject({
    name: z.string(),
    label: z.string(),
    source: z.string(),
    updateCycle: z.string(),
    granularity: z.enum(['day', 'year']),
    asOf: z.iso
      .date()
      .nullable()
      .describe('State of the data: the day of the export, or of the newest results of tenders; null = unknown'),
    rows: z.int(),
    rowsExact: z.boolean(),
    endpoints: z.array(z.string()).describe('Where it is read'),
    lizenzen: z.array(
      z.strictObject({
        bezeichnung: z.string(),
        url: z.url(),
        bereitsteller: z.string(),
        giltFuer: z.string(),
        shareAlike: z.boolean(),
      }),
    ),
    erfunden: z.boolean().describe('Whether the units are invented: the sample register, or another of the generator'),
    veraendert: z.boolean().describe('Whether the data differ from the source'),
    aenderungsvermerk: z.string().nullable().describe('How they differ'),
    lizenzHinweis: z.string().nullable(),
    quellenvermerk: z.string().nullable().describe('The attribution that the licence asks for, ready to be shown'),
  })
  .meta({ id: 'Dataset' });

/** The datasets with their state and their licence. */
export const listDatasets = reusableOperation({
  id: 'datasets.list',
  method: 'GET',
  path: '/v1/datasets',
  summary: 'State and licence of each dataset',
  access: 'api',
  shared: true,
  scope: 'reference:read',
  cost: 'standard',
  source: 'register',
  answer: z.strictObject({ data: z.array(shape), meta: z.strictObject({ count: z.int() }) }),
  question: () => null,
  async reply({ dataset }) {
    const version = dataset();
    const data = await Promise.all(SERVED_DATASETS.map((served) => entry(served, version)));
    return { body: { data, meta: { count: data.length } } };
  },
});

async function entry(served: ServedDataset, version: VersionReader) {
  const { name, label, origin, endpoints, changes } = served;
  const [{ rows, asOf }, erfunden] = await Promise.all([stateOf(served, version), isInvented(version)]);
  return {
    name,
    label,
    source: origin.source,
    updateCycle: origin.updateCycle,
    granularity: 'day' as const,
    asOf,
    rows,
    rowsExact: true,
    endpoints: [...endpoints],
    erfunden,
    ...origin.licensed(asOf, changes),
  };
}
