import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { validate as isSchedule } from 'node-cron';
import { z } from 'zod';
import { defaultMaxConnections } from './open-file-limit.ts';
import {
  address,
  allowedHosts,
  CLICKHOUSE_NAME,
  calendarDaySetting,
  encryptionKeys,
  folder,
  hostInAddress,
  mailServer,
  networks,
  origins,
  SIGNING_KEY_LENGTH,
  shareSetting,
  warehouse,
  wholeNumberSetting,
} from './setting-schemas.ts';

/**
 * The table of all settings: their validation, defaults and meanings. What settings.ts reads and prints is derived from
 * it, and a test compares docs/settings.md with it.
 */

export interface Setting {
  readonly schema: z.ZodType;
  /** The default; it may be derived from the settings above. */
  readonly preset: (above: Record<string, unknown>) => unknown;
  /** The default as documentation shows it, when it is derived. */
  readonly presetText?: string;
  readonly meaning: string;
  readonly secret?: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const SETTINGS = {
  HOST: { schema: z.string().min(1), preset: () => '127.0.0.1', meaning: 'Address the service listens on' },
  PORT: {
    schema: wholeNumberSetting(0, 65535),
    preset: () => 8080,
    meaning: 'Port the service listens on; 0 takes a free one',
  },
  METRICS_PORT: {
    schema: wholeNumberSetting(0, 65535),
    preset: () => null,
    presetText: 'off',
    meaning: 'Port on which Prometheus reads /metrics, at the address HOST; 0 takes a free one',
  },
  BASE_URL: {
    schema: address,
    preset: (above) => `http://${hostInAddress(String(above.HOST))}:${above.PORT}`,
    presetText: 'http://HOST:PORT',
    meaning: 'Public address of the service: base of all links and problem types (behind a proxy: the outer one)',
  },
  APP_URL: {
    schema: address,
    preset: (above) => `${above.BASE_URL}/app`,
    presetText: 'BASE_URL/app',
    meaning:
      'Address of the pages that links of units and events lead to (`app`, `map`, `resultsUrl`): those of this service, or an application of your own with the same paths',
  },
  STATE_DIR: {
    schema: folder,
    preset: () => resolve('var'),
    presetText: './var',
    meaning: 'Folder of everything the service keeps, for its owner only',
  },
  WAREHOUSE_URL: {
    schema: warehouse,
    preset: (above) => `duckdb:${above.STATE_DIR}/warehouse`,
    presetText: 'duckdb:STATE_DIR/warehouse',
    secret: true,
    meaning: 'Where the dataset versions are read: a folder, or `clickhouse(s)://user:password@host:8123/prefix`',
  },
  CLICKHOUSE_CLUSTER: {
    schema: z.string().regex(CLICKHOUSE_NAME, 'must be a name of letters, digits, _ and -, as system.clusters has it'),
    preset: () => null,
    presetText: 'none',
    meaning:
      'Cluster on which ClickHouse tables are made, in their replicated form; none for one server and for the cloud',
  },
  CLICKHOUSE_SHARDS: {
    schema: wholeNumberSetting(1, 1000),
    preset: () => 1,
    meaning: 'Shards of that cluster; units are spread over them by a hash of their number',
  },
  ORG_STORE_URL: {
    schema: z.string().regex(/^(pglite:.+|postgres(ql)?:\/\/.+)$/, 'must be postgres://… or pglite:<folder>'),
    preset: (above) => `pglite:${above.STATE_DIR}/org`,
    presetText: 'pglite:STATE_DIR/org',
    secret: true,
    meaning: 'Where organisations and their data live: a Postgres server (15 or newer), or a folder of this process',
  },
  SIGNING_KEY: {
    schema: z.string().min(SIGNING_KEY_LENGTH, `must have at least ${SIGNING_KEY_LENGTH} characters`),
    preset: () => null,
    presetText: 'made once, kept in STATE_DIR/signing-key',
    secret: true,
    meaning: 'Secret that signs cursors; set it alike on every instance behind one address',
  },
  ENCRYPTION_KEYS: {
    schema: encryptionKeys,
    preset: () => null,
    presetText: 'made once, kept in STATE_DIR/encryption-key',
    secret: true,
    meaning:
      'Keys of 32 bytes in base64, comma-separated, that encrypt e-mail addresses, telephone numbers and secrets of webhooks: the first encrypts, all decrypt; set them alike on every instance',
  },
  AUDIT_RETENTION_DAYS: {
    schema: wholeNumberSetting(1, 3650),
    preset: () => 90,
    meaning: 'How long the audit log keeps a call, days',
  },
  CORS_ORIGINS: {
    schema: origins,
    preset: () => [],
    presetText: 'none',
    meaning: 'Origins whose pages may call the service, comma-separated; `*` for all',
  },
  TRUSTED_PROXIES: {
    schema: networks,
    preset: () => [],
    presetText: 'none',
    meaning: 'Addresses or networks of the proxies in front, comma-separated: their `X-Forwarded-For` tells who calls',
  },
  WEBHOOK_ALLOWED_HOSTS: {
    schema: allowedHosts,
    preset: () => [],
    presetText: 'none',
    meaning:
      'Hosts that webhooks may call although they are not public, comma-separated: `host` for each port, or `host:port`; still by https with a certificate that this machine trusts (NODE_EXTRA_CA_CERTS)',
  },
  SMTP_URL: {
    schema: mailServer,
    preset: () => null,
    presetText: 'off',
    secret: true,
    meaning:
      'Mail server that sends e-mails of alerts: `smtp://host:587`, or `smtps://user:password@host:465`; a password goes over TLS alone',
  },
  SMTP_FROM: {
    schema: z.email({ error: 'must be an e-mail address' }),
    preset: () => null,
    presetText: 'none, and no e-mails are sent',
    meaning: 'Address from which these e-mails come',
  },
  REFUSED_CALLS_PER_MINUTE: {
    schema: wholeNumberSetting(1, 1_000_000),
    preset: () => 120,
    meaning: 'Calls without a valid key that an address may make in a minute before it is turned away with 429',
  },
  SHARED_CALLS_PER_MINUTE: {
    schema: wholeNumberSetting(1, 1_000_000),
    preset: () => 240,
    meaning:
      'Calls through public links that an address may make in a minute; a link has five times as many, all links of an organisation ten times',
  },
  SESSION_MS_PER_MINUTE: {
    schema: wholeNumberSetting(1, 1_000_000),
    preset: () => 20_000,
    meaning:
      'Engine time in a minute for what the pages ask with one key, milliseconds in each process; kept answers take none. It grows with the limit of expensive calls of an organisation',
  },
  MAX_CONNECTIONS: {
    schema: wholeNumberSetting(1, 1_000_000),
    preset: defaultMaxConnections,
    presetText:
      'the files that the process may open, less 512 and an eighth (at most 2048) for webhooks, at most 10000',
    meaning: 'Connections of callers at a time; further ones are closed as they come',
  },
  DEMO: {
    schema: z.enum(['auto', 'on', 'off'], { error: 'must be auto, on or off' }),
    preset: () => 'auto',
    meaning:
      '`auto`: at its first start a service without any organisation makes one to try things with, and prints its key, unless a service manager runs it or HOST or BASE_URL is not of this machine alone; `on`: there too; `off`: never',
  },
  OLDER_API: {
    schema: z.enum(['on', 'off'], { error: 'must be on or off' }),
    preset: () => 'on',
    meaning: 'Whether the older variant of the interface is served under /api/v1',
  },
  DUMPS_DIR: {
    schema: folder,
    preset: () => null,
    presetText: 'off',
    meaning: 'Folder of the dumps that the service hands out under /dumps (`ingest -- export --publish`)',
  },
  DUMPS_ACCESS: {
    schema: z.enum(['key', 'public'], { error: 'must be key or public' }),
    preset: () => 'key',
    meaning:
      '`key`: dumps are for organisations with the limit `dumps`, with a key; `public`: for everybody, without one, as often as SHARED_CALLS_PER_MINUTE says',
  },
  KEEP_DUMPS: {
    schema: wholeNumberSetting(1, 1000),
    preset: () => 2,
    meaning: 'Dataset versions whose dumps stay in DUMPS_DIR after `ingest -- export --publish`',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }),
    preset: () => 'info',
    meaning: 'Least severe level that is logged',
  },
  TODAY: {
    schema: calendarDaySetting,
    preset: () => null,
    presetText: 'the day in Europe/Berlin',
    meaning: 'Fixes the day that counts as today, for reproducible answers',
  },
  WORKERS: {
    schema: wholeNumberSetting(1, 64),
    preset: () => 1,
    meaning:
      'Processes of the service that share its port; more than one needs ORG_STORE_URL on a Postgres server. MAX_CONNECTIONS, and of a warehouse in a folder QUERY_THREADS and QUERY_MEMORY_MB, are shared out among them',
  },
  QUERY_THREADS: {
    schema: wholeNumberSetting(1, 256),
    // One thread answers a small query fastest, and several of them run in parallel anyway. A server has cores of its own.
    preset: (above) =>
      String(above.WAREHOUSE_URL).startsWith('clickhouse') ? null : Math.max(1, availableParallelism() - 1),
    presetText: 'all cores but one; on ClickHouse as many as its user may have',
    meaning: 'Threads that share one query',
  },
  QUERY_MEMORY_MB: { schema: wholeNumberSetting(64, 1_000_000), preset: () => 1024, meaning: 'Memory for queries, MB' },
  ANSWER_CACHE_MB: {
    schema: wholeNumberSetting(0, 1_000_000),
    preset: () => 64,
    meaning:
      'Memory for answers about the served version that are given again to whoever asks the same, MB in each process; 0 keeps none',
  },
  SHUTDOWN_SECONDS: {
    schema: wholeNumberSetting(0, 600),
    preset: () => 10,
    meaning: 'How long running requests may take to end after SIGTERM or SIGINT, seconds',
  },
  INGEST_WORKERS: {
    schema: wholeNumberSetting(1, 256),
    preset: () => availableParallelism(),
    presetText: 'all cores',
    meaning: 'Threads that read members of the export',
  },
  INGEST_MEMORY_MB: {
    schema: wholeNumberSetting(256, 1_000_000),
    preset: () => 900,
    meaning:
      'Memory of the engine while a build joins and sorts, MB; it works side by side on as many statements as have 450 MB each',
  },
  INGEST_COMPARE_EVERY: {
    schema: wholeNumberSetting(1, 1000),
    preset: () => 7,
    meaning:
      'One in this number of builds is made from nothing as well and compared with what the night made of the version before; 1: each',
  },
  KEEP_VERSIONS: {
    schema: wholeNumberSetting(1, 1000),
    preset: () => 3,
    meaning: 'Dataset versions kept after a publish',
  },
  BAND_SHRINK: {
    schema: shareSetting,
    preset: () => 0.05,
    meaning: 'Share by which a carrier may shrink against the version before, otherwise nothing is published',
  },
  BAND_GROW: {
    schema: shareSetting,
    preset: () => 0.1,
    meaning: 'Share by which a carrier may grow against the version before, otherwise nothing is published',
  },
  BAND_VANISH: {
    schema: shareSetting,
    preset: () => 0.005,
    meaning: 'Share of the units of a carrier that may vanish in one build without a word of the register',
  },
  BAND_REFERENCES: {
    schema: shareSetting,
    preset: () => 0.01,
    meaning: 'Share by which references to operators, plants, locations, points … that lead nowhere may rise',
  },
  BAND_LABELS: {
    schema: shareSetting,
    preset: () => 0.01,
    meaning: 'Share by which the records with an id that the catalogues do not have may rise, for each element',
  },
  BAND_NAMES: {
    schema: shareSetting,
    preset: () => 0.01,
    meaning: 'Share by which organisations without a name may rise, and share of named operators that may lose theirs',
  },
  BAND_GAPS: {
    schema: shareSetting,
    preset: () => 0.01,
    meaning: 'Share by which the units of a carrier without state, status, capacity or operator may rise',
  },
  FIRST_BUILD_CEILING: {
    schema: shareSetting,
    preset: () => 0.5,
    meaning: 'Share above which none of these may lie where there is no version before to compare with',
  },
  EXPORT_PAGE_URL: {
    schema: address,
    preset: () => 'https://www.marktstammdatenregister.de/MaStR/Datendownload',
    meaning: 'Page of the register whose links name the exports',
  },
  EXPORT_CONTACT: {
    schema: z
      .string()
      .regex(/^[\x20-\x7e]+$/, 'must be plain ASCII such as data@example.org')
      .regex(/^[^()\\]*$/, 'must not contain ( ) or \\'),
    preset: () => null,
    presetText: 'none, and the User-Agent says so',
    meaning: 'Mail or web address at which the register reaches who downloads, sent as part of the User-Agent',
  },
  EXPORT_DIR: {
    schema: folder,
    preset: (above) => `${above.STATE_DIR}/exports`,
    presetText: 'STATE_DIR/exports',
    meaning: 'Folder of the downloaded exports',
  },
  KEEP_EXPORTS: {
    schema: wholeNumberSetting(1, 1000),
    preset: () => 2,
    meaning: 'Downloaded exports kept after a night',
  },
  FETCH_ATTEMPTS: {
    schema: wholeNumberSetting(1, 100),
    preset: () => 6,
    meaning: 'How often in a row a request may fail before a download is given up; it goes on there the next time',
  },
  FETCH_PAUSE_SECONDS: {
    schema: wholeNumberSetting(0, 3600),
    preset: () => 10,
    meaning: 'Pause before a request is repeated, seconds; each further one is twice as long, up to ten minutes',
  },
  INGEST_SCHEDULE: {
    schema: z.string().refine(isSchedule, 'is no cron expression such as 30 4 * * * (minute hour day month weekday)'),
    preset: () => '30 4 * * *',
    meaning: 'When the night runs (`npm run ingest -- schedule`): a cron expression, in the time of Europe/Berlin',
  },
  NIGHTLY_ATTEMPTS: {
    schema: wholeNumberSetting(1, 100),
    preset: () => 4,
    meaning: 'How often the schedule tries a night that fails',
  },
  NIGHTLY_PAUSE_MINUTES: {
    schema: wholeNumberSetting(0, 1440),
    preset: () => 45,
    meaning: 'Pause before the schedule tries a failed night again, minutes',
  },
} as const satisfies Record<string, Setting>;
