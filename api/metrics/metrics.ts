import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnswerMeter } from '../answers/answer-cache.ts';
import type { VersionMeter } from '../warehouse/version.ts';
import type { DeliveryMeter } from '../webhooks/delivery/report.ts';

/**
 * The counters and histograms of the service. Labels take few values: ids of operations, never paths; none is called `job`
 * or `instance`, which Prometheus sets itself. Gauges are read when Prometheus asks for them, see gauges.ts.
 */
export interface Metrics extends AnswerMeter, VersionMeter, DeliveryMeter {
  readonly registry: Registry;
  /** A request has arrived. @returns the function to call when it is answered; operation null = its path is unknown */
  requestArrived(): (operation: string | null, status: number) => void;
  /** A call was refused for want of a valid key; too_many = refused before its key was looked up. */
  callRefused(reason: 'no_key' | 'wrong_key' | 'too_many'): void;
  /** A connection was closed as it came, because there were MAX_CONNECTIONS already. */
  connectionDropped(): void;
  /** An answer was compressed, or sent as it is because too many others were being compressed. */
  compressionEnded(outcome: 'done' | 'passed_over'): void;
  /** Alerts were evaluated for a version, each with an outcome. */
  alertsEvaluated(outcomes: Readonly<Record<'NO_MATCH' | 'FIRED' | 'FAULTY', number>>): void;
  /** An evaluation of all alerts for a version has ended; failed = it is tried again. */
  evaluationEnded(outcome: 'done' | 'failed' | 'given_up', seconds: number): void;
  jobEnded(name: string, outcome: 'done' | 'failed', seconds: number): void;
  eventsStored(type: string, count: number): void;
}

/** Seconds, from the time of one unit read by its number to that of a statement that is interrupted. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Adds the metrics of the process, which are collected only where they can be read. */
export const addProcessMetrics = (registry: Registry): void => collectDefaultMetrics({ register: registry });

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'energy_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer, by operation and class of status; operation none = a path that leads nowhere',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'energy_http_requests_in_flight',
    help: 'Requests that have arrived and are not answered yet',
    registers,
  });
  const compressions = new Counter({
    name: 'energy_http_compressions_total',
    help: 'Answers that were to be compressed; passed_over = went as they are, since too many others were being compressed',
    labelNames: ['outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'energy_http_refused_calls_total',
    help: 'Calls that were refused for want of a valid key; too_many = turned away, since their address had too many of them',
    labelNames: ['reason'],
    registers,
  });
  const drops = new Counter({
    name: 'energy_http_connections_dropped_total',
    help: 'Connections that were closed as they came, since there were MAX_CONNECTIONS already',
    registers,
  });
  const statements = new Histogram({
    name: 'energy_warehouse_statement_duration_seconds',
    help: 'Time of a statement in the engine of the warehouse, without waiting for a connection; exhausted = it needed more time or memory than it may take',
    labelNames: ['outcome'],
    buckets: BUCKETS,
    registers,
  });
  const answersSought = new Counter({
    name: 'energy_answers_total',
    help: 'Answers that may be given again; hit = one was kept, joined = one was just being made for another caller, miss = it was made',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['hit', 'joined', 'miss']) answersSought.inc({ outcome }, 0);
  const answerEvictions = new Counter({
    name: 'energy_answer_evictions_total',
    help: 'Kept answers that have made room for others',
    registers,
  });
  const unitsRead = new Counter({
    name: 'energy_warehouse_units_read_total',
    help: 'Units that were read from the row file',
    registers,
  });
  const alertEvaluations = new Counter({
    name: 'energy_alert_evaluations_total',
    help: 'Alerts that were evaluated for a version, by what became of them',
    labelNames: ['outcome'],
    registers,
  });
  const evaluations = new Counter({
    name: 'energy_evaluations_total',
    help: 'Evaluations of all alerts for a version; failed = it is tried again, given_up = its news are never told',
    labelNames: ['outcome'],
    registers,
  });
  // A counter that is not there before it counts has no increase when it counts for the first time.
  for (const outcome of ['done', 'failed', 'given_up']) evaluations.inc({ outcome }, 0);
  const evaluationSeconds = new Gauge({
    name: 'energy_evaluation_last_duration_seconds',
    help: 'Time that the last evaluation of all alerts took',
    aggregator: 'max',
    registers,
  });
  const jobRuns = new Counter({
    name: 'energy_job_runs_total',
    help: 'Runs of a job in this process',
    labelNames: ['name', 'outcome'],
    registers,
  });
  const jobSeconds = new Gauge({
    name: 'energy_job_last_duration_seconds',
    help: 'Time that the last run of a job took',
    aggregator: 'max',
    labelNames: ['name'],
    registers,
  });
  const jobEnds = new Gauge({
    name: 'energy_job_last_run_timestamp_seconds',
    help: 'When the last run of a job ended that had this outcome, Unix time',
    aggregator: 'max',
    labelNames: ['name', 'outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'energy_webhook_deliveries_total',
    help: 'Attempts to deliver an event to a webhook endpoint; retry = it failed and is repeated, failed = it was the last',
    labelNames: ['outcome'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'energy_webhook_attempt_seconds',
    help: 'Time of an attempt to deliver an event, from resolving the host to the last byte that was read of the answer',
    buckets: BUCKETS,
    registers,
  });
  const events = new Counter({
    name: 'energy_events_total',
    help: 'Events of organisations that were stored',
    labelNames: ['type'],
    registers,
  });
  return {
    registry,
    requestArrived() {
      const began = performance.now();
      inFlight.inc();
      return (operation, status) => {
        inFlight.dec();
        const labels = { operation: operation ?? 'none', status: `${Math.floor(status / 100)}xx` };
        requests.observe(labels, (performance.now() - began) / 1000);
      };
    },
    callRefused: (reason) => refusals.inc({ reason }),
    connectionDropped: () => drops.inc(),
    compressionEnded: (outcome) => compressions.inc({ outcome }),
    statementEnded: (outcome, seconds) => statements.observe({ outcome }, seconds),
    answerSought: (outcome) => answersSought.inc({ outcome }),
    answerEvicted: () => answerEvictions.inc(),
    unitsRead: (count) => unitsRead.inc(count),
    alertsEvaluated(outcomes) {
      for (const [outcome, count] of Object.entries(outcomes)) {
        alertEvaluations.inc({ outcome: outcome.toLowerCase() }, count);
      }
    },
    evaluationEnded(outcome, seconds) {
      evaluations.inc({ outcome });
      evaluationSeconds.set(seconds);
    },
    jobEnded(name, outcome, seconds) {
      jobRuns.inc({ name, outcome });
      jobSeconds.set({ name }, seconds);
      jobEnds.set({ name, outcome }, Date.now() / 1000);
    },
    deliveryAttempted(outcome, seconds) {
      deliveries.inc({ outcome });
      attemptSeconds.observe(seconds);
    },
    eventsStored: (type, count) => events.inc({ type }, count),
  };
}
