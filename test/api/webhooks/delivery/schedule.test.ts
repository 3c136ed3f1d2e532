import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { healthOf, outcomeOf } from '../../../../api/webhooks/delivery/outcome.ts';
import { retryAfterMs } from '../../../../api/webhooks/delivery/retry-after.ts';
import { LONGEST_DELAY, retryDelay, SCHEDULE } from '../../../../api/webhooks/delivery/schedule.ts';
import { answering } from '../../../support/dispatcher.ts';

const SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

const attempts = fc.integer({ min: 1, max: SCHEDULE.length });
const random = fc.double({ min: 0, max: 1, noNaN: true });
const asked = fc.option(fc.integer({ min: 0, max: 10 * LONGEST_DELAY }));

describe('the schedule', () => {
  test('attempts at once, then after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, ten times in all', () => {
    expect(SCHEDULE[0]).toBe(0);
    const delays = SECONDS.map((_, index) => retryDelay({ attempts: index + 1, retryAfterMs: null }, 0));
    expect(delays).toEqual(SECONDS.map((seconds) => seconds * 1000));
    expect(retryDelay({ attempts: 10, retryAfterMs: null }, 0)).toBeNull();
  });

  test('lengthens each wait by up to a fifth, and never shortens it', () => {
    fc.assert(
      fc.property(attempts, random, (done, chance) => {
        const [planned, delay] = [SCHEDULE[done], retryDelay({ attempts: done, retryAfterMs: null }, chance)];
        if (planned === undefined) expect(delay).toBeNull();
        else {
          expect(delay).toBeGreaterThanOrEqual(planned);
          expect(delay).toBeLessThanOrEqual(Math.round(planned * 1.2));
        }
      }),
    );
  });

  test('lets a receiver lengthen a wait up to a day, and never shorten or add one', () => {
    fc.assert(
      fc.property(attempts, random, asked, (done, chance, retryAfter) => {
        const own = retryDelay({ attempts: done, retryAfterMs: null }, chance);
        const delay = retryDelay({ attempts: done, retryAfterMs: retryAfter }, chance);
        expect(delay).toBe(own === null ? null : Math.max(own, Math.min(retryAfter ?? 0, LONGEST_DELAY)));
      }),
    );
  });

  test('reads Retry-After as seconds and as a moment', () => {
    const now = new Date('2026-11-23T10:00:00Z');
    const after = (header: string) => retryDelay({ attempts: 1, retryAfterMs: retryAfterMs(header, now) }, 0);
    expect(
      ['120', 'Mon, 23 Nov 2026 10:02:00 GMT', '1', 'Mon, 23 Nov 2026 09:00:00 GMT', '9999999', 'bald'].map(after),
    ).toEqual([120_000, 120_000, 5_000, 5_000, 86_400_000, 5_000]);
  });
});

describe('an attempt', () => {
  const outcome = (status: number, done = 1) => outcomeOf(answering(status), done, 0);

  test.each([200, 201, 202, 204, 299])('that is answered %i has delivered the message', (status) => {
    expect(outcome(status)).toEqual({ state: 'DELIVERED', delayMs: null });
    expect(outcome(status, 10)).toEqual({ state: 'DELIVERED', delayMs: null });
  });

  test.each([301, 302, 304, 308, 400, 404, 429, 500, 503])(
    'that is answered %i is repeated, ten times at most',
    (status) => {
      expect(outcome(status)).toEqual({ state: 'PENDING', delayMs: 5_000 });
      expect(outcome(status, 9)).toEqual({ state: 'PENDING', delayMs: 86_400_000 });
      expect(outcome(status, 10)).toEqual({ state: 'FAILED', delayMs: null });
    },
  );

  test('that is answered 410 is the last', () => {
    expect(outcome(410)).toEqual({ state: 'FAILED', delayMs: null });
  });

  test('without an answer is repeated', () => {
    expect(outcomeOf({ ms: 1, error: 'connection refused' }, 2, 0)).toEqual({ state: 'PENDING', delayMs: 300_000 });
  });
});

describe('what attempts say about an endpoint', () => {
  const said = (...statuses: number[]) =>
    healthOf(statuses.map((status) => ({ endpointId: 'e', result: answering(status) })))[0];

  test('counts the last one, and whether any succeeded or was answered 410', () => {
    expect(said(200)).toEqual({ endpointId: 'e', succeeded: true, failing: false, gone: false });
    expect(said(500)).toEqual({ endpointId: 'e', succeeded: false, failing: true, gone: false });
    expect(said(500, 200)).toEqual({ endpointId: 'e', succeeded: true, failing: false, gone: false });
    expect(said(200, 500)).toEqual({ endpointId: 'e', succeeded: true, failing: true, gone: false });
    expect(said(410, 500)).toEqual({ endpointId: 'e', succeeded: false, failing: true, gone: true });
  });

  test('is kept apart by endpoint', () => {
    const both = healthOf([
      { endpointId: 'a', result: answering(200) },
      { endpointId: 'b', result: { ms: 1, error: 'refused' } },
    ]);
    expect(both.map(({ endpointId, failing }) => [endpointId, failing])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });
});
