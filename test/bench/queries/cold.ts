import { dirname } from 'node:path';
import { filesIn } from '../support/files.ts';
import { dropFromPageCache, StillCached } from '../support/page-cache.ts';
import { note } from '../support/register.ts';
import { type Subject, stopSubject } from '../support/subject.ts';
import { type Client, openClient, Refused } from './client.ts';
import type { ComparedSystem } from './compared-system.ts';
import { sendOne } from './measure.ts';
import type { BenchRequest } from './question.ts';
import type { ReportRow } from './report.ts';
import { timesOf } from './times.ts';

/** Somebody who answers requests, whose memory can be taken away. */
interface ColdSystem {
  /** Starts it anew, with none of its files in memory, and returns these files. */
  restart(): Promise<readonly string[]>;
  /** @returns milliseconds */
  send(request: BenchRequest): Promise<number>;
}

/** Requests after each start: the first of them find nothing in the process either. */
const OF_EACH_START = 8;

/**
 * Milliseconds of requests that find no file in memory: before each of them the files are dropped from the page cache,
 * and again and again the process is a new one.
 * @throws StillCached
 */
async function measureCold(requests: readonly BenchRequest[], system: ColdSystem): Promise<number[]> {
  const times: number[] = [];
  let files: readonly string[] = [];
  for (const [place, request] of requests.entries()) {
    if (place % OF_EACH_START === 0) files = await system.restart();
    dropFromPageCache(files);
    times.push(await system.send(request));
  }
  return times;
}

/** The row of the service whose files are not in memory; where the system cannot forget them, it says so. */
export async function coldOurs(
  requests: readonly BenchRequest[],
  file: string,
  starting: () => Promise<Subject>,
): Promise<ReportRow> {
  note('First pages, cold');
  const row = { ...{ id: 'cold', name: 'units, first page, cold', aims: null, compared: {} }, notes: [] };
  const files = filesIn(dirname(file));
  let running: { subject: Subject; client: Client } | null = null;
  const stop = async () => {
    running?.client.close();
    if (running !== null) await stopSubject(running.subject);
    running = null;
  };
  try {
    const times = await measureCold(requests, {
      async restart() {
        await stop();
        dropFromPageCache(files);
        const subject = await starting();
        running = { subject, client: openClient(subject) };
        return files;
      },
      send: async (request) => (await sendOne(request, running!.client)).milliseconds,
    });
    return { ...row, service: timesOf(times) };
  } catch (error) {
    if (!(error instanceof StillCached || error instanceof Refused)) throw error;
    return { ...row, service: null, notes: [error.message] };
  } finally {
    await stop();
  }
}

export async function coldCompared(
  row: ReportRow,
  requests: readonly BenchRequest[],
  { name, restartCold, send }: ComparedSystem,
): Promise<ReportRow> {
  if (restartCold === null || row.service === null) return row;
  try {
    const times = await measureCold(requests, {
      restart: restartCold,
      send: async (request) => (await send(request)).milliseconds,
    });
    return { ...row, compared: { ...row.compared, [name]: { times: timesOf(times), plain: null } } };
  } catch (error) {
    return { ...row, notes: [...row.notes, `${name}: ${error instanceof Error ? error.message : error}`] };
  }
}
