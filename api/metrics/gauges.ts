import { Gauge, type Registry } from 'prom-client';
import { NIGHT_OUTCOMES } from '../../runtime/nightly-record.ts';
import type { Publication } from '../../sql/warehouse/versions.ts';
import { type GaugeSnapshot, type GaugeSources, gaugeSnapshots } from './gauge-snapshot.ts';
import type { LastBuild } from './last-build.ts';
import type { LastNight } from './last-night.ts';

/** The gauges, read whenever Prometheus asks for the metrics: versions, the last build and night, pools and queues. */

/** A value, and its labels where the metric has some. */
type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];

interface GaugeDefinition {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /**
   * The way in which the values of several processes become one. Default: the largest, as most gauges are about what all of them
   * see alike; of a version that some have not opened yet, the oldest counts.
   */
  readonly together?: 'sum' | 'min';
  read(now: GaugeSnapshot): readonly Sample[];
}

const seconds = (time: string): number => Date.parse(time) / 1000;

const entries = (values: Readonly<Record<string, number>>, label: string): Sample[] =>
  Object.entries(values).map(([name, value]) => [value, { [label]: name }]);

const ofServed =
  (read: (served: Publication) => Sample): GaugeDefinition['read'] =>
  ({ served }) =>
    served === null ? [] : [read(served)];

const ofBuild =
  (read: (build: LastBuild) => readonly Sample[]): GaugeDefinition['read'] =>
  ({ build }) =>
    build === null ? [] : read(build);

const ofNight =
  (read: (night: LastNight) => readonly Sample[]): GaugeDefinition['read'] =>
  ({ night }) =>
    night === null ? [] : read(night);

/** Label values are single words. */
const outcomeLabel = (outcome: (typeof NIGHT_OUTCOMES)[number]): string => outcome.replace(' ', '_');

const GAUGES: readonly GaugeDefinition[] = [
  {
    name: 'energy_service_info',
    help: 'The address under which callers reach the service, always 1',
    labels: ['address'],
    read: ({ service }) => [[1, { address: service.settings.BASE_URL }]],
  },
  {
    name: 'energy_dataset_info',
    help: 'The version that is served, always 1',
    labels: ['version', 'export_day'],
    read: ofServed(({ version, exportDay }) => [1, { version, export_day: exportDay }]),
  },
  {
    name: 'energy_dataset_export_day_timestamp_seconds',
    help: 'Beginning (UTC) of the day of the export that is served, Unix time',
    together: 'min',
    read: ofServed(({ exportDay }) => [seconds(exportDay)]),
  },
  {
    name: 'energy_dataset_age_seconds',
    help: 'Time since the beginning (UTC) of the day of the export that is served',
    read: ofServed(({ exportDay }) => [Date.now() / 1000 - seconds(exportDay)]),
  },
  {
    name: 'energy_dataset_published_timestamp_seconds',
    help: 'When the version that is served was published, Unix time',
    together: 'min',
    read: ofServed(({ publishedAt }) => [seconds(publishedAt)]),
  },
  {
    name: 'energy_dataset_up_to_date',
    help: 'Whether what is published is also what is served',
    together: 'min',
    read: ({ service }) => [[Number(service.warehouse.upToDate())]],
  },
  {
    name: 'energy_answers_kept',
    help: 'Answers that are kept to be given again',
    read: ({ service }) => [[service.answers.size().answers]],
  },
  {
    name: 'energy_answers_kept_bytes',
    help: 'Memory that kept answers take, at most ANSWER_CACHE_MB',
    read: ({ service }) => [[service.answers.size().bytes]],
  },
  {
    name: 'energy_dataset_versions_kept',
    help: 'Dataset versions in the warehouse',
    read: ({ kept }) => (kept === null ? [] : [[kept.length]]),
  },
  {
    name: 'energy_build_info',
    help: 'The version of the last build, published or not, always 1',
    labels: ['version'],
    read: ofBuild(({ version }) => [[1, { version }]]),
  },
  {
    name: 'energy_build_timestamp_seconds',
    help: 'When the last build ended that made a version, Unix time',
    read: ofBuild(({ endedAt }) => [[endedAt]]),
  },
  {
    name: 'energy_build_duration_seconds',
    help: 'Time that the last build took',
    read: ofBuild(({ report }) => [[report.seconds]]),
  },
  {
    name: 'energy_build_published',
    help: 'Whether the version of the last build was ever published',
    read: ({ build, publications }) =>
      build === null ? [] : [[Number(publications.some(({ version }) => version === build.version))]],
  },
  {
    name: 'energy_build_failed_checks',
    help: 'Checks that the last build failed',
    read: ofBuild(({ report }) => [[report.failedChecks.length]]),
  },
  {
    name: 'energy_build_affected_units',
    help: 'Units that the last build computed, where it was made out of the version before; no value where it was built from nothing',
    read: ofBuild(({ report: { madeFrom } }) => (madeFrom?.affected == null ? [] : [[madeFrom.affected]])),
  },
  {
    name: 'energy_build_nights',
    help: 'Builds in a row that were made out of the version before, 0: the last one was built from nothing',
    read: ofBuild(({ report: { madeFrom } }) => (madeFrom === undefined ? [] : [[madeFrom.nights]])),
  },
  {
    name: 'energy_build_differing_tables',
    help: 'Tables in which a night would have had other rows than the last build, which was compared with it; no value where none was',
    read: ofBuild(({ report: { madeFrom } }) => (madeFrom?.differences == null ? [] : [[madeFrom.differences.length]])),
  },
  {
    name: 'energy_build_units',
    help: 'Units of the last build by energy carrier',
    labels: ['carrier'],
    read: ofBuild(({ report }) => entries(report.units, 'carrier')),
  },
  {
    name: 'energy_build_records',
    help: 'Records of the export that the last build read, by what became of them',
    labels: ['result'],
    read: ofBuild(({ records }) => entries(records, 'result')),
  },
  {
    name: 'energy_build_findings',
    help: 'Findings of the last build by kind',
    labels: ['finding'],
    read: ofBuild(({ report }) => entries(report.befunde, 'finding')),
  },
  {
    name: 'energy_build_peak_memory_bytes',
    help: 'Largest resident size of the process of the last build',
    read: ofBuild(({ report }) => [[report.peakMemoryMb * 2 ** 20]]),
  },
  {
    name: 'energy_build_size_bytes',
    help: 'Size of the version of the last build on disk',
    read: ofBuild(({ report }) => [[report.warehouseMb * 1e6]]),
  },
  {
    name: 'energy_night_started_timestamp_seconds',
    help: 'When the last nightly run began, Unix time',
    read: ofNight(({ last }) => (last === null ? [] : [[seconds(last.startedAt)]])),
  },
  {
    name: 'energy_night_ended_timestamp_seconds',
    help: 'When the last nightly run ended, Unix time; absent while it runs, and when it was killed',
    read: ofNight(({ last }) => (last === null || last.endedAt === null ? [] : [[seconds(last.endedAt)]])),
  },
  {
    name: 'energy_night_outcome',
    help: 'What the last nightly run came to: 1 for that, 0 for all else',
    labels: ['outcome'],
    read: ofNight(({ last }) =>
      last === null
        ? []
        : NIGHT_OUTCOMES.map((outcome) => [Number(last.outcome === outcome), { outcome: outcomeLabel(outcome) }]),
    ),
  },
  {
    name: 'energy_night_failed_step',
    help: 'The step in which the last nightly run failed, always 1; absent when it did not fail',
    labels: ['step'],
    read: ofNight(({ last }) => (last === null || last.failedStep === null ? [] : [[1, { step: last.failedStep }]])),
  },
  {
    name: 'energy_night_failed',
    help: 'Whether the last nightly run that ended failed, and nothing was built and published since',
    read: ofNight(({ failed }) => [[Number(failed)]]),
  },
  {
    name: 'energy_night_failures',
    help: 'Nightly runs that failed since the last one that did not',
    read: ofNight(({ last, failures }) => (last === null ? [] : [[failures]])),
  },
  {
    name: 'energy_warehouse_connections',
    help: 'Connections to the version that is served',
    labels: ['state'],
    together: 'sum',
    read({ service }) {
      const { busy, idle } = service.warehouse.connections();
      return entries({ busy, idle }, 'state');
    },
  },
  {
    name: 'energy_warehouse_statements_waiting',
    help: 'Statements that wait for a connection to the version that is served',
    together: 'sum',
    read: ({ service }) => [[service.warehouse.connections().waiting]],
  },
  {
    name: 'energy_store_connections',
    help: 'Connections to the store of the organisations; an embedded store is one',
    labels: ['pool', 'state'],
    together: 'sum',
    read: ({ service }) =>
      service.store.pools().flatMap(({ pool, busy, idle }) => [
        [busy, { pool, state: 'busy' }],
        [idle, { pool, state: 'idle' }],
      ]),
  },
  {
    name: 'energy_store_waiting',
    help: 'Work that waits for a connection to the store of the organisations',
    labels: ['pool'],
    together: 'sum',
    read: ({ service }) => service.store.pools().map(({ pool, waiting }) => [waiting, { pool }]),
  },
  {
    name: 'energy_audit_rows_waiting',
    help: 'Audit rows that the store does not have yet',
    together: 'sum',
    read: ({ service }) => [[service.audit.waiting()]],
  },
  {
    name: 'energy_counter_waiting',
    help: 'Counts of calls that the store does not have yet: of organisations where this process counts, of calls where the store does',
    together: 'sum',
    read: ({ service }) => [[service.rateLimiter.waiting()]],
  },
  {
    name: 'energy_webhook_oldest_due_seconds',
    help: 'How long the oldest delivery has been due that was not begun yet; failing = to endpoints whose last attempt failed, which get one at a time',
    labels: ['endpoints'],
    read: ({ service }) => entries(service.webhooks.oldestDueSeconds(), 'endpoints'),
  },
  {
    name: 'energy_webhook_attempts_under_way',
    help: 'Attempts to deliver an event that have begun and not ended',
    together: 'sum',
    read: ({ service }) => [[service.webhooks.underWay()]],
  },
  {
    name: 'energy_webhook_endpoints_disabled',
    help: 'Webhook endpoints that are disabled, by reason: by hand, since the receiver said that it is gone, or since nothing arrived for days',
    labels: ['reason'],
    read: ({ organisations }) => (organisations === null ? [] : entries(organisations.disabledEndpoints, 'reason')),
  },
  {
    name: 'energy_alerts_faulty',
    help: 'Alerts that are enabled and could not be evaluated for the last dataset version',
    read: ({ organisations }) => (organisations === null ? [] : [[organisations.faultyAlerts]]),
  },
];

/** Registers the gauges of a service. */
export function registerGauges(registry: Registry, service: GaugeSources): void {
  const snapshot = gaugeSnapshots(service);
  for (const { name, help, labels = [], together = 'max', read } of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      aggregator: together,
      registers: [registry],
      async collect() {
        const now = await snapshot();
        // Values of an earlier answer must not stay; reset() alone would leave a metric without labels at 0.
        if (labels.length === 0) this.remove();
        else this.reset();
        for (const [value, labelled = {}] of read(now)) this.set(labelled, value);
      },
    });
  }
}
