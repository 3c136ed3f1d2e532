import { join, resolve } from 'node:path';
import { type ClickHouseAddress, clickhouseAddress } from './clickhouse-address.ts';
import { tolerateClosedOutput } from './closed-output.ts';
import type { AllowedHost } from './setting-schemas.ts';
import { SETTINGS, type Setting } from './settings-table.ts';

/** Every setting of the service and of the ingest, read from the environment as settings-table.ts says. */

export interface Settings {
  readonly HOST: string;
  readonly PORT: number;
  readonly METRICS_PORT: number | null;
  readonly BASE_URL: string;
  readonly APP_URL: string;
  readonly STATE_DIR: string;
  readonly WAREHOUSE_URL: string;
  readonly CLICKHOUSE_CLUSTER: string | null;
  readonly CLICKHOUSE_SHARDS: number;
  readonly ORG_STORE_URL: string;
  readonly SIGNING_KEY: string | null;
  readonly ENCRYPTION_KEYS: readonly string[] | null;
  readonly AUDIT_RETENTION_DAYS: number;
  readonly CORS_ORIGINS: readonly string[];
  readonly TRUSTED_PROXIES: readonly string[];
  readonly WEBHOOK_ALLOWED_HOSTS: readonly AllowedHost[];
  readonly SMTP_URL: string | null;
  readonly SMTP_FROM: string | null;
  readonly REFUSED_CALLS_PER_MINUTE: number;
  readonly SHARED_CALLS_PER_MINUTE: number;
  readonly SESSION_MS_PER_MINUTE: number;
  readonly MAX_CONNECTIONS: number;
  readonly DEMO: 'auto' | 'on' | 'off';
  readonly OLDER_API: 'on' | 'off';
  readonly DUMPS_DIR: string | null;
  readonly DUMPS_ACCESS: 'key' | 'public';
  readonly KEEP_DUMPS: number;
  readonly LOG_LEVEL: string;
  readonly TODAY: string | null;
  readonly WORKERS: number;
  readonly QUERY_THREADS: number | null;
  readonly QUERY_MEMORY_MB: number;
  readonly ANSWER_CACHE_MB: number;
  readonly SHUTDOWN_SECONDS: number;
  readonly INGEST_WORKERS: number;
  readonly INGEST_MEMORY_MB: number;
  readonly INGEST_COMPARE_EVERY: number;
  readonly KEEP_VERSIONS: number;
  readonly BAND_SHRINK: number;
  readonly BAND_GROW: number;
  readonly BAND_VANISH: number;
  readonly BAND_REFERENCES: number;
  readonly BAND_LABELS: number;
  readonly BAND_NAMES: number;
  readonly BAND_GAPS: number;
  readonly FIRST_BUILD_CEILING: number;
  readonly EXPORT_PAGE_URL: string;
  readonly EXPORT_CONTACT: string | null;
  readonly EXPORT_DIR: string;
  readonly KEEP_EXPORTS: number;
  readonly FETCH_ATTEMPTS: number;
  readonly FETCH_PAUSE_SECONDS: number;
  readonly INGEST_SCHEDULE: string;
  readonly NIGHTLY_ATTEMPTS: number;
  readonly NIGHTLY_PAUSE_MINUTES: number;
}

/** Lists all faults of the environment, one per line. */
export class SettingsError extends Error {}

/**
 * Reads the settings. An empty variable counts as not set.
 * @throws SettingsError naming every variable that is not valid, with what it must be
 */
export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  const settings: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const raw = environment[name];
    if (raw === undefined || raw === '') {
      settings[name] = setting.preset(settings);
      continue;
    }
    const parsed = setting.schema.safeParse(raw);
    if (parsed.success) settings[name] = parsed.data;
    else {
      const shown = setting.secret ? 'the value' : JSON.stringify(raw);
      faults.push(`${name}: ${shown} ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
    }
  }
  if (faults.length > 0) {
    throw new SettingsError(
      `The environment is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}\nAll settings: npm run settings`,
    );
  }
  return settings as unknown as Settings;
}

/**
 * The folder of the dataset versions, from `duckdb:<folder>`. With ClickHouse versions are built there, and the last
 * ones stay for the history of the next night.
 */
export function warehouseFolder(settings: Settings): string {
  const { WAREHOUSE_URL: url, STATE_DIR: state } = settings;
  return url.startsWith('duckdb:') ? resolve(url.slice('duckdb:'.length)) : join(state, 'warehouse');
}

/** The ClickHouse server that versions are read from; null when they are read from the folder. */
export function warehouseServer(settings: Settings): ClickHouseAddress | null {
  return settings.WAREHOUSE_URL.startsWith('duckdb:') ? null : clickhouseAddress(settings.WAREHOUSE_URL);
}

/** Created once, since creating a formatter costs more than the rest of a small request. */
const BERLIN_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });

/** The calendar day `YYYY-MM-DD` that counts as today: TODAY, or the day in Europe/Berlin. */
export function today(settings: Settings, now: Date = new Date()): string {
  return settings.TODAY ?? BERLIN_DAY.format(now);
}

/** The list of settings as rows of name, default and meaning. */
export function describeSettings(): { name: string; preset: string; meaning: string }[] {
  return Object.entries<Setting>(SETTINGS).map(([name, setting]) => ({
    name,
    preset: setting.presetText ?? String(setting.preset({})),
    meaning: setting.meaning,
  }));
}

if (import.meta.main) {
  tolerateClosedOutput();
  for (const { name, preset, meaning } of describeSettings()) {
    process.stdout.write(`${name.padEnd(23)}${meaning}\n${''.padEnd(23)}default: ${preset}\n`);
  }
}
