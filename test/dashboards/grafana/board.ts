import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The boards of dashboards/grafana, as far as tests read them; members that no board has are refused. */

const FOLDER = new URL('../../../dashboards/grafana/boards/', import.meta.url);

const source = z.strictObject({
  type: z.enum(['prometheus', 'grafana-clickhouse-datasource']),
  uid: z.string().regex(/^\$\{\w+\}$/),
});

const metricsTarget = z.strictObject({
  expr: z.string(),
  legendFormat: z.string().optional(),
  instant: z.literal(true).optional(),
  format: z.enum(['table', 'heatmap']).optional(),
  refId: z.string(),
  datasource: source,
});

const tablesTarget = z.strictObject({
  editorType: z.literal('sql'),
  rawSql: z.string(),
  queryType: z.enum(['timeseries', 'table']),
  /** 0: time series; 1: table. */
  format: z.union([z.literal(0), z.literal(1)]),
  refId: z.string(),
  datasource: source,
});

const override = z.strictObject({
  matcher: z.strictObject({ id: z.literal('byName'), options: z.string() }),
  properties: z.array(z.strictObject({ id: z.string(), value: z.unknown() })).min(1),
});

const link = z.strictObject({ title: z.string(), url: z.string(), targetBlank: z.literal(true) });

const place = z.strictObject({ x: z.int(), y: z.int(), w: z.int().min(1).max(24), h: z.int().min(1) });

const step = z.strictObject({ color: z.string(), value: z.number().nullable() });

const row = z.strictObject({
  id: z.int(),
  type: z.literal('row'),
  title: z.string(),
  collapsed: z.literal(false),
  gridPos: place,
  panels: z.array(z.never()),
});

const panel = z.strictObject({
  id: z.int(),
  type: z.enum(['stat', 'timeseries', 'table', 'heatmap', 'state-timeline', 'barchart']),
  title: z.string(),
  description: z.string(),
  gridPos: place,
  datasource: source,
  links: z.array(link).min(1),
  fieldConfig: z.strictObject({
    defaults: z.strictObject({
      unit: z.string(),
      noValue: z.string(),
      displayName: z.string().optional(),
      decimals: z.int().optional(),
      min: z.number().optional(),
      max: z.number().optional(),
      color: z.strictObject({ mode: z.string(), fixedColor: z.string() }).optional(),
      thresholds: z.strictObject({ mode: z.literal('absolute'), steps: z.array(step).min(1) }).optional(),
      mappings: z.array(z.unknown()).optional(),
      custom: z.record(z.string(), z.unknown()).optional(),
    }),
    overrides: z.array(override),
  }),
  options: z.looseObject({ xField: z.string().optional() }),
  transformations: z.array(z.strictObject({ id: z.string(), options: z.record(z.string(), z.unknown()) })).optional(),
  targets: z.array(z.union([metricsTarget, tablesTarget])).min(1),
});

const variable = z.looseObject({
  name: z.string(),
  label: z.string(),
  type: z.enum(['datasource', 'query', 'custom', 'textbox']),
  query: z.union([z.string(), z.looseObject({ query: z.string() }), z.looseObject({ rawSql: z.string() })]),
});

const board = z.strictObject({
  uid: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.tuple([z.literal('energy')]),
  schemaVersion: z.int(),
  version: z.int(),
  editable: z.literal(true),
  timezone: z.literal('browser'),
  graphTooltip: z.literal(1),
  refresh: z.string(),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  links: z.array(z.looseObject({ title: z.string() })),
  annotations: z.strictObject({
    list: z.array(z.looseObject({ name: z.string(), expr: z.string().optional(), datasource: source })),
  }),
  templating: z.strictObject({ list: z.array(variable) }),
  panels: z.array(z.discriminatedUnion('type', [row, panel])),
});

export type Panel = z.infer<typeof panel>;
export type Variable = z.infer<typeof variable>;
export type MetricsTarget = z.infer<typeof metricsTarget>;
export type TablesTarget = z.infer<typeof tablesTarget>;

export interface Board extends z.infer<typeof board> {
  /** The text of its file. */
  readonly text: string;
}

/** @throws ZodError for a board of another shape */
export function readBoard(name: string): Board {
  const text = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
  return { ...board.parse(JSON.parse(text)), text };
}

export const BOARDS: readonly string[] = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .sort();

/** The panels that show something. */
export const panelsOf = ({ panels }: Board): Panel[] => panels.filter((one): one is Panel => one.type !== 'row');

export const metricsTargets = ({ targets }: Panel): MetricsTarget[] =>
  targets.filter((target): target is MetricsTarget => 'expr' in target);

export const tablesTargets = ({ targets }: Panel): TablesTarget[] =>
  targets.filter((target): target is TablesTarget => 'rawSql' in target);
