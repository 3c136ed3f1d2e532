import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openClient } from '../../dashboards/web/v1/client.ts';
import { Refused } from '../../dashboards/web/v1/problem.ts';

/** The client of the pages against a network that is played by hand. */

const PATH = { path: '/v1/portfolio' };
const CHANGE = { path: '/v1/portfolio', method: 'POST', body: {} } as const;

const answer = (data: unknown) => Response.json({ data, meta: {} });

const refusal = (status: number, headers: Record<string, string> = {}, more: object = {}) =>
  new Response(JSON.stringify({ status, code: 'CODE', title: 'Title', retryable: true, ...more }), { status, headers });

describe('the client of the pages', () => {
  const network = vi.fn<typeof fetch>();
  const open = () =>
    openClient(
      'http://127.0.0.1/',
      () => ({ Authorization: 'Bearer key' }),
      () => undefined,
    );

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', network);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    network.mockReset();
  });

  test('asks anew after a change, also where an answer from before it comes after it', async () => {
    const client = open();
    const late = Promise.withResolvers<Response>();
    network.mockReturnValueOnce(late.promise).mockResolvedValueOnce(answer([])).mockResolvedValueOnce(answer('new'));
    const before = client.ask(PATH);
    await client.change(CHANGE);
    const after = client.ask(PATH);
    late.resolve(answer('old'));
    expect([(await before).data, (await after).data]).toEqual(['old', 'new']);
    expect((await client.ask(PATH)).data).toBe('new');
    expect(network).toHaveBeenCalledTimes(3);
  });

  test('waits for a limit as long as the service says, whatever the clock of the browser says', async () => {
    const wrongClock = Date.now() - 86_400_000;
    network.mockResolvedValueOnce(refusal(429, { 'Retry-After': '20' }, { retryAfter: wrongClock }));
    network.mockResolvedValueOnce(answer('there'));
    const waits: number[] = [];
    const began = Date.now();
    const asked = open().ask(PATH, { onWait: (until) => waits.push(until - began) });
    await vi.advanceTimersByTimeAsync(19_000);
    expect(network).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await asked).data).toBe('there');
    expect(waits).toEqual([expect.toSatisfy((wait: number) => wait >= 20_000 && wait <= 21_000)]);
  });

  test('tries a failure again by itself, twice, and calls that no limit', async () => {
    network.mockImplementation(async () => refusal(503, { 'Retry-After': '4' }));
    const onWait = vi.fn();
    const asked = expect(open().ask(PATH, { onWait })).rejects.toThrow(Refused);
    await vi.advanceTimersByTimeAsync(3_900);
    expect(network).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5_000);
    await asked;
    expect(network).toHaveBeenCalledTimes(3);
    expect(onWait).not.toHaveBeenCalled();
  });

  test('leaves it to the visitor to try again after a long pause', async () => {
    network.mockResolvedValueOnce(refusal(503, { 'Retry-After': '600' }));
    await expect(open().ask(PATH)).rejects.toThrow(Refused);
  });

  test('does not send a change twice that may have been made', async () => {
    network.mockResolvedValueOnce(refusal(503));
    await expect(open().change(CHANGE)).rejects.toThrow(Refused);
    expect(network).toHaveBeenCalledTimes(1);
  });

  test('takes an answer that breaks off, or is none of the interface, for one that did not come', async () => {
    network.mockResolvedValueOnce(new Response('<html>Please log in</html>'));
    await expect(open().ask(PATH)).rejects.toMatchObject({ problem: { code: 'UNREACHABLE' } });
  });

  test('breaks off a wait that nobody wants any more', async () => {
    network.mockResolvedValueOnce(refusal(429, { 'Retry-After': '20' }));
    const aborter = new AbortController();
    const waits = Promise.withResolvers<void>();
    const asked = open().ask(PATH, { signal: aborter.signal, onWait: () => waits.resolve() });
    await waits.promise;
    aborter.abort();
    await expect(asked).rejects.toThrow('aborted');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(network).toHaveBeenCalledTimes(1);
  });
});
