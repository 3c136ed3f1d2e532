import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { openClient } from '../queries/client.ts';
import { measureService } from '../queries/measure.ts';
import { QUESTIONS } from '../queries/questions/all.ts';
import { asOfFirstDay, HISTORIE } from '../queries/questions/history.ts';
import { sampleOf } from '../queries/sample.ts';
import { type Times, timesOf } from '../queries/times.ts';
import { readThrough, servedVersion } from '../queries/version.ts';
import { note } from '../support/register.ts';
import { startSubject, stopSubject } from '../support/subject.ts';

/** Answers to some questions over the version that is served. */
export interface MeasuredAnswers {
  readonly name: string;
  readonly questions: readonly { readonly name: string; readonly times: Times }[];
}

/** Those that read rows by their place in a table, or count many of them: new rows stand at its end. */
const ASKED = ['units-first', 'units-deep', 'aggregation-filtered', 'zeitreihe', 'unit', 'space', 'tile'];

/** Those that are asked about an earlier day as well. */
const OF_EARLIER_DAYS = ['aggregation-filtered', 'zeitreihe'];

const among = (ids: readonly string[]) => QUESTIONS.filter(({ id }) => ids.includes(id));
const MAX_SECONDS = 120;

export async function measureAnswers(name: string, state: string, requests: number): Promise<MeasuredAnswers> {
  note(`Questions ${name}`);
  const version = servedVersion(join(state, 'warehouse'));
  const own = mkdtempSync(join(state, 'service-'));
  const sample = await sampleOf(version.file);
  await readThrough(version);
  const subject = await startSubject('full', {
    STATE_DIR: own,
    WAREHOUSE_URL: `duckdb:${version.warehouse}`,
    ORG_STORE_URL: `pglite:${join(own, 'org')}`,
    TODAY: version.day,
  });
  const client = openClient(subject);
  try {
    const questions: MeasuredAnswers['questions'][number][] = [];
    for (const question of [...among(ASKED), ...among(OF_EARLIER_DAYS).map(asOfFirstDay), HISTORIE]) {
      const { measured } = await measureService(question, sample, client, { requests, seconds: MAX_SECONDS });
      questions.push({ name: question.name, times: timesOf(measured.times) });
    }
    return { name, questions };
  } finally {
    client.close();
    await stopSubject(subject);
  }
}
