import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { evaluatePending } from '../../../api/alerts/evaluator.ts';
import { publishedVersions } from '../../../api/engines/open-warehouse.ts';
import { openMetrics } from '../../../api/metrics/metrics.ts';
import { openLog } from '../../../runtime/log.ts';
import { itemAt } from '../../../runtime/present.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { type EvaluationRow, evaluationRow, evaluationsByAge } from '../../../sql/org/alerts/evaluations.ts';
import { openOrgStore } from '../../../sql/org/store.ts';
import { type Publication, parseVersionId } from '../../../sql/warehouse/versions.ts';
import { EARLIER, LATER } from './night.ts';

/** Evaluates one night in a process of its own, and prints what it took, as one line of JSON. */
export interface Evaluated extends Pick<EvaluationRow, 'changedUnits' | 'evaluatedAlerts' | 'events'> {
  readonly seconds: number;
  /** Processor time of this process. */
  readonly processorSeconds: number;
  /** Resident size before, and the largest during the evaluation, 2^20 bytes. */
  readonly memoryBeforeMb: number;
  readonly peakMemoryMb: number;
  /** For how long requests would have waited for the thread that evaluates, too: most of them, one of a thousand, and the last. */
  readonly delayMs: { readonly p99: number; readonly p999: number; readonly most: number };
  /** Load of the machine at the end: programs that run or would like to, over the last minute. */
  readonly load: number;
}

const publication = (id: string, minute: number): Publication => ({
  ...{ version: id, ...parseVersionId(id)!, publishedAt: new Date(Date.now() - (9 - minute) * 60_000).toISOString() },
  cause: 'build',
});

const SETTLING_SECONDS = 5;

const memory = (line: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

const settings = readSettings();
const log = await openLog('warn');
const store = await openOrgStore(settings, log);
const metrics = openMetrics();
const versions = await publishedVersions(settings, metrics);
const all: Publication[] = [publication(EARLIER, 1)];
const warehouse = {
  publications: () => all,
  versions: () => versions.versions(),
  openBeside: versions.openBeside,
};
const parts = { store, settings, log, metrics, warehouse, eventsStored: () => {} };
const { signal } = new AbortController();
await evaluatePending(parts, signal);

all.push(publication(LATER, 2));
// By then, memory that only the start needed is free again.
for (let round = 0; round < SETTLING_SECONDS; round++) {
  globalThis.gc?.();
  await sleep(1000);
}
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// From here on, the kernel counts the peak anew.
writeFileSync('/proc/self/clear_refs', '5');
const memoryBeforeMb = memory('VmRSS');
const began = performance.now();
const before = process.cpuUsage();
await evaluatePending(parts, signal);
const used = process.cpuUsage(before);
const seconds = (performance.now() - began) / 1000;
const peakMemoryMb = memory('VmHWM');
delay.disable();
const [row] = await store.asOperator((session) => session.rows(evaluationRow, evaluationsByAge(1)));
if (row?.version !== LATER || row.error !== null) throw new Error(`The evaluation failed: ${JSON.stringify(row)}`);
const { changedUnits, evaluatedAlerts, events } = row;
const result: Evaluated = {
  ...{ changedUnits, evaluatedAlerts, events, seconds, memoryBeforeMb, peakMemoryMb },
  delayMs: { p99: delay.percentile(99) / 1e6, p999: delay.percentile(99.9) / 1e6, most: delay.max / 1e6 },
  load: itemAt(loadavg(), 0),
  processorSeconds: (used.user + used.system) / 1e6,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
versions.close();
await store.close();
