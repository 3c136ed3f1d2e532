import { warehouseFolder } from '../../runtime/settings.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { Service } from '../service.ts';
import { type LastBuild, lastBuild } from './last-build.ts';
import { type LastNight, lastNight } from './last-night.ts';

/** What the readings of one moment share. */
export interface GaugeSnapshot {
  readonly service: Service;
  /** Null while nothing is served. */
  readonly served: Publication | null;
  /** Every publication that the service knows of, oldest first. */
  readonly publications: readonly Publication[];
  /** Versions that are kept; null where that cannot be seen. */
  readonly kept: readonly Version[] | null;
  /** Null while there is no version, and where it cannot be seen. */
  readonly build: LastBuild | null;
  /** Null while there was none. */
  readonly night: LastNight | null;
}

/** All metrics of one answer are read within it. */
const TTL_MILLISECONDS = 1_000;

/** What a server does not answer within it is absent: Prometheus waits ten seconds. */
const TIMEOUT_MILLISECONDS = 3_000;

const QUERY_TAG = { operation: 'metrics', request: null };

/** Looks at how things stand, once for all readings of an answer. */
export function gaugeSnapshots(service: Service): () => Promise<GaugeSnapshot> {
  const build = lastBuild(service.warehouse, warehouseFolder(service.settings));
  let held: { readonly since: number; readonly standing: Promise<GaugeSnapshot> } | null = null;
  return () => {
    if (held === null || performance.now() - held.since > TTL_MILLISECONDS) {
      held = { since: performance.now(), standing: look(service, build) };
    }
    return held.standing;
  };
}

async function look(service: Service, readBuild: ReturnType<typeof lastBuild>): Promise<GaugeSnapshot> {
  const { warehouse, settings, log } = service;
  const dataset = warehouse.acquire(QUERY_TAG);
  const publications = dataset?.publications ?? [];
  dataset?.release();
  const seen = await inTime(
    warehouse.versions().then(async (kept) => ({ kept, build: await readBuild(kept) })),
    (error) => log.error({ err: error }, 'the versions that are kept cannot be seen'),
  );
  return {
    service,
    served: warehouse.served(),
    publications,
    kept: seen?.kept ?? null,
    build: seen?.build ?? null,
    night: lastNight(settings.STATE_DIR, publications, log),
  };
}

/** Null for what fails, which is told, or takes too long. */
async function inTime<T>(asked: Promise<T>, failed: (error: unknown) => void): Promise<T | null> {
  const policy = Promise.withResolvers<null>();
  const timer = setTimeout(() => policy.resolve(null), TIMEOUT_MILLISECONDS);
  const answered = asked.catch((error: unknown) => {
    failed(error);
    return null;
  });
  try {
    return await Promise.race([answered, policy.promise]);
  } finally {
    clearTimeout(timer);
  }
}
