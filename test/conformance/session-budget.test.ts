import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitChoices } from '../../sql/org/callers.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** What the pages ask in a session is counted by what it takes of the engine, not by class. */

type Get = (path: string) => Promise<ServiceResponse>;

interface Visitor {
  readonly key: string;
  readonly get: Get;
  readonly send: (method: string, path: string, body: unknown) => Promise<ServiceResponse>;
}

/** Signs a new organisation in, with these limits. */
async function visitor(service: OwnSubject, limits: LimitChoices = {}): Promise<Visitor> {
  const { text } = await makeKey(service.store, await makeOrganisation(service.store, { limits }));
  const json = { ...NO_KEY, 'Content-Type': 'application/json' };
  const { headers } = await service.send('POST', '/app/session', {
    headers: json,
    body: JSON.stringify({ key: text }),
  });
  const session = { Cookie: headers.get('set-cookie')?.split(';')[0] ?? '', 'X-App-Session': 'app' };
  return {
    key: text,
    get: (path) => service.get(path, { ...NO_KEY, ...session }),
    send: (method, path, body) =>
      service.send(method, path, { headers: { ...json, ...session }, body: JSON.stringify(body) }),
  };
}

const DAYS = Array.from({ length: 28 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')}`);
/** Different questions of the class of which a key may ask twelve a minute. */
const QUESTIONS = ['2023', '2024', '2025'].flatMap((year) =>
  DAYS.map((day) => `/v1/region/zeitreihe?periode=monat&von=${day.replace('2026', year)}`),
);
const momentaufnahme = '/v1/region/momentaufnahme';

const statuses = async (get: Get, paths: readonly string[]): Promise<number[]> => {
  const answers = await Promise.all(paths.map(get));
  return answers.map(({ status }) => status);
};

describe('with the budget of the settings', () => {
  let service: OwnSubject;
  beforeAll(async () => {
    service = await serveOwnFixture();
  });
  afterAll(() => service.stop());

  test('ten regions and three comparisons of eight places in a minute are answered at once', async () => {
    const { get } = await visitor(service);
    const all = await statuses(get, QUESTIONS);
    expect(new Set(all)).toEqual(new Set([200]));
    expect(await statuses(get, Array(100).fill('/v1/units?limit=1'))).toEqual(Array(100).fill(200));
  });

  test('the key itself has its windows, identical calls included, and what the pages ask leaves them alone', async () => {
    const { key, get } = await visitor(service);
    await statuses(get, QUESTIONS.slice(0, 30));
    const own: Get = (path) => service.get(path, withKey(key));
    const answers = await statuses(own, Array(14).fill(momentaufnahme));
    expect(answers.toSorted()).toEqual([...Array(12).fill(200), 429, 429]);
    expect((await get(momentaufnahme)).status).toBe(200);
  });

  test('the headers name the budget; a key that is sent beside the cookie has the headers of its class', async () => {
    const { key, get } = await visitor(service);
    const { headers } = await get(QUESTIONS[0]!);
    expect(headers.get('ratelimit-policy')).toBe('"session";q=20000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"session";r=(1\d{4}|20000);t=\d+$/);
    const refused = await get('/v1/units?limit=x');
    expectProblem(refused, 400, 'INVALID_PARAMETER');
    expect(refused.headers.get('ratelimit-policy')).toBe('"session";q=20000;w=60');
    const own = await service.get(momentaufnahme, withKey(key));
    expect(own.headers.get('ratelimit-policy')).toBe('"expensive";q=12;w=60');
  });

  test('an organisation with other limits has as much more', async () => {
    const { get } = await visitor(service, { expensive: 120 });
    expect((await get(momentaufnahme)).headers.get('ratelimit-policy')).toBe('"session";q=200000;w=60');
  });

  test('changes count by their class, and each call to the month', async () => {
    const { get, send } = await visitor(service, { mutation: 2 });
    const change = () => send('POST', '/v1/portfolio?dryRun=true', { entries: [] });
    const changes = [await change(), await change(), await change()];
    expect(changes[2]!.status).toBe(429);
    await get(momentaufnahme);
    expect((await get('/v1/usage')).json.data.requests.used).toBeGreaterThanOrEqual(1);
  });

  test('more requests than people send are refused, whatever they cost', async () => {
    const { get } = await visitor(service, { expensive: 1 });
    const answers = await statuses(get, Array(140).fill(momentaufnahme));
    expect(answers.filter((status) => status === 200).length).toBeLessThanOrEqual(101);
    expect(answers).toContain(429);
  });
});

describe('with a budget that is soon used up', () => {
  let service: OwnSubject;
  beforeAll(async () => {
    service = await serveOwnFixture({ SESSION_MS_PER_MINUTE: '5' });
  });
  afterAll(() => service.stop());

  async function usedUp(get: Get): Promise<ServiceResponse> {
    for (const path of QUESTIONS) {
      const answer = await get(path);
      if (answer.status !== 200) return answer;
    }
    throw new Error('the budget held');
  }

  test('what has to be computed is refused until some is there again; kept answers cost nothing', async () => {
    const { get } = await visitor(service);
    expect((await get(momentaufnahme)).status).toBe(200);
    const refused = await usedUp(get);
    expectProblem(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get('ratelimit')).toMatch(/^"session";r=0;t=\d+$/);
    expect(await statuses(get, Array(20).fill(momentaufnahme))).toEqual(Array(20).fill(200));
    expectProblem(await get('/v1/units?limit=3&suche=Kiel'), 429, 'RATE_LIMITED');
  });

  test('nobody else waits for it, nor for the same question', async () => {
    const [one, other] = [await visitor(service), await visitor(service)];
    const { status } = await usedUp(one.get);
    expect(status).toBe(429);
    const question = '/v1/region/zeitreihe?periode=quartal';
    const [refused, answered] = await Promise.all([one.get(question), other.get(question)]);
    expect([refused.status, answered.status]).toEqual([429, 200]);
  });
});
