import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { withPublicationTarget } from '../../../ingest/publication/open.ts';
import { humanProgress, type Progress } from '../../../ingest/run/progress.ts';
import { readSettings } from '../../../runtime/settings.ts';

/**
 * Loads a version of STATE_DIR/warehouse into WAREHOUSE_URL as a build does, in a process of its own, and says what that
 * took as one line of JSON.
 */
export interface Loaded {
  readonly seconds: number;
  /** Processor time of the process: reading the file, and writing blocks of it. */
  readonly cpuSeconds: number;
  /** The part of it for comparing the tables with the file. */
  readonly check: Taken;
  /** Bytes that went out. */
  readonly sent: number;
  /** Largest resident size of the process, 2^20 bytes. */
  readonly peakMemoryMb: number;
}

interface Taken {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await load(process.argv[2]!))}\n`);

async function load(version: string): Promise<Loaded> {
  const settings = readSettings();
  const sent = countSent();
  const { progress, stages } = stageTimes(humanProgress(process.stderr));
  const takenSince = stopwatch();
  const work = { folder: join(settings.STATE_DIR, 'work'), memoryMb: settings.INGEST_MEMORY_MB, progress };
  await withPublicationTarget(settings, (published) => published.load(version, work));
  return {
    ...takenSince(),
    check: stages.get('ClickHouse: check') ?? { seconds: 0, cpuSeconds: 0 },
    sent: sent(),
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
  };
}

/** Counts what every connection for HTTP sends from now on. */
function countSent(): () => number {
  const sockets = new Set<Socket>();
  diagnostics.subscribe('http.client.request.created', (message) => {
    (message as { request: ClientRequest }).request.once('socket', (socket) => sockets.add(socket));
  });
  return () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
}

/** A progress that notes what each stage takes. */
function stageTimes(shown: Progress): { progress: Progress; stages: ReadonlyMap<string, Taken> } {
  const stages = new Map<string, Taken>();
  let stage: string | null = null;
  let takenSince = stopwatch();
  const turn = (next: string | null) => {
    if (stage !== null) stages.set(stage, takenSince());
    stage = next;
    takenSince = stopwatch();
  };
  return {
    stages,
    progress: {
      ...shown,
      stage(name, total, unit) {
        turn(name);
        shown.stage(name, total, unit);
      },
      end() {
        turn(null);
        shown.end();
      },
    },
  };
}

/** Tells what has been taken since this call. */
function stopwatch(): () => Taken {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - begun) / 1000, cpuSeconds: (user + system) / 1e6 };
  };
}
