import type { Logger } from '../../runtime/log.ts';
import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { RateLimiter } from '../access/rate-limiter.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { type LastBuild, lastBuild } from './last-build.ts';
import { type LastNight, lastNight } from './last-night.ts';
import { type OrganisationCounts, organisationCounts } from './organisation-counts.ts';

/** The parts of a service that gauges are read from. */
export interface GaugeSources {
  readonly settings: Settings;
  readonly log: Logger;
  readonly warehouse: Warehouse;
  readonly answers: Pick<AnswerCache, 'size'>;
  readonly store: Pick<OrgStore, 'pools' | 'autocommit'>;
  readonly audit: Pick<AuditRecorder, 'waiting'>;
  readonly rateLimiter: Pick<RateLimiter, 'waiting'>;
  readonly webhooks: Pick<Dispatcher, 'oldestDueSeconds' | 'underWay'>;
}

/** The values that all gauges of one answer are read from. */
export interface GaugeSnapshot {
  readonly service: GaugeSources;
  /** Null while nothing is served. */
  readonly served: Publication | null;
  /** Every publication that the service knows of, oldest first. */
  readonly publications: readonly Publication[];
  /** Versions that are kept; null when the warehouse does not list them. */
  readonly kept: readonly Version[] | null;
  /** Null while there is no version, and when the warehouse does not list them. */
  readonly build: LastBuild | null;
  /** Null before the first night. */
  readonly night: LastNight | null;
  /** Null when the store does not answer. */
  readonly organisations: OrganisationCounts | null;
}

/** Long enough for all metrics of one answer. */
const TTL_MILLISECONDS = 1_000;

/** The time that warehouse and store have for gauges, which are absent otherwise: Prometheus waits ten seconds. */
const TIMEOUT_MILLISECONDS = 3_000;

const QUERY_TAG = { operation: 'metrics', request: null, trace: null };

/** @returns a function that takes a snapshot, or gives the last one while it is younger than TTL_MILLISECONDS */
export function gaugeSnapshots(service: GaugeSources): () => Promise<GaugeSnapshot> {
  const build = lastBuild(service.warehouse, warehouseFolder(service.settings));
  let held: { readonly since: number; readonly snapshot: Promise<GaugeSnapshot> } | null = null;
  return () => {
    if (held === null || performance.now() - held.since > TTL_MILLISECONDS) {
      held = { since: performance.now(), snapshot: takeSnapshot(service, build) };
    }
    return held.snapshot;
  };
}

async function takeSnapshot(service: GaugeSources, readBuild: ReturnType<typeof lastBuild>): Promise<GaugeSnapshot> {
  const { warehouse, settings, log, store } = service;
  const dataset = warehouse.acquire(QUERY_TAG);
  const publications = dataset?.publications ?? [];
  dataset?.release();
  const [seen, organisations] = await Promise.all([
    inTime(
      warehouse.versions().then(async (kept) => ({ kept, build: await readBuild(kept) })),
      (error) => log.error({ err: error }, 'the versions that are kept cannot be listed'),
    ),
    inTime(organisationCounts(store), (error) => log.error({ err: error }, 'alerts and endpoints cannot be counted')),
  ]);
  return {
    service,
    served: warehouse.served(),
    publications,
    kept: seen?.kept ?? null,
    build: seen?.build ?? null,
    night: lastNight(settings.STATE_DIR, publications, log),
    organisations,
  };
}

/** Resolves to null when the question fails, which is reported, or takes too long. */
async function inTime<T>(question: Promise<T>, failed: (error: unknown) => void): Promise<T | null> {
  const timeout = Promise.withResolvers<null>();
  const timer = setTimeout(() => timeout.resolve(null), TIMEOUT_MILLISECONDS);
  const answered = question.catch((error: unknown) => {
    failed(error);
    return null;
  });
  try {
    return await Promise.race([answered, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
