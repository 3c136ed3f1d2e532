import { describe, expect, test } from 'vitest';
import type { BenchRequest, Question } from '../question.ts';
import { seeded } from '../random.ts';
import { SMALL_SAMPLE } from '../small-sample.ts';
import { QUESTIONS } from './all.ts';

describe('the same seed gives the same requests', () => {
  const answered = { status: 200, etag: 'W/"1"', milliseconds: 1 };
  const page = {
    data: [{ mastrNummer: 'SEE900000000001', bruttoleistungKw: 1, inbetriebnahmedatum: null }],
    meta: { page: { hasMore: true, cursor: 'further' } },
  };
  const detail = { data: { geplantesInbetriebnahmedatum: null, registrierungsdatum: '2020-01-01' } };
  const get = async (path: string) => ({ ...answered, json: () => (path.includes('/SEE') ? detail : page) });

  async function firstRequests({ requests }: Question, seed: number): Promise<BenchRequest[]> {
    const source = requests(SMALL_SAMPLE, seeded(seed), get);
    const found: BenchRequest[] = [];
    while (found.length < 30) found.push((await source.next()).value);
    return found;
  }

  const serialised = (requests: readonly BenchRequest[]) => JSON.stringify(requests);

  test.each(QUESTIONS.map((question) => [question.id, question] as const))('%s', async (_, question) => {
    const once = await firstRequests(question, 5);
    expect(serialised(once)).toBe(serialised(await firstRequests(question, 5)));
    // Requests vary: that is what makes them a measurement.
    expect(new Set(once.map(({ path }) => path)).size).toBeGreaterThan(1);
    for (const { text, values } of once.flatMap(({ sql, plainSql = [] }) => [...sql, ...plainSql])) {
      const places = new Set([...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
      expect([...places].sort((a, b) => a - b)).toEqual(values.map((_value, place) => place + 1));
    }
  });
});
