import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { timedReader, type VersionReader } from '../../../api/warehouse/version.ts';

/** The clock of the engine runs while at least one call is under way there. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = <Result>(ms: number, result: Result) =>
  new Promise<Result>((resolve) => setTimeout(() => resolve(result), ms));

const reader = {
  query: () => after(30, []),
  kept: () => after(50, []),
  total: () => after(50, 7),
  search: null,
  orders: null,
  regionDays: null,
  units: { listed: null, existing: () => after(10, new Set()), read: () => Promise.reject(new Error('damaged')) },
} as unknown as VersionReader;

const NOTHING = {} as never;

test('calls at the same time count once, calls one after the other are added', async () => {
  const time = { ms: 0 };
  const timed = timedReader(reader, time);
  const both = Promise.all([timed.query(NOTHING, NOTHING), timed.total(NOTHING)]);
  await vi.advanceTimersByTimeAsync(50);
  expect(await both).toEqual([[], 7]);
  expect(time.ms).toBe(50);
  const third = timed.units.existing([]);
  await vi.advanceTimersByTimeAsync(10);
  await third;
  expect(time.ms).toBe(60);
});

test('a call that fails stops the clock too', async () => {
  const time = { ms: 0 };
  const timed = timedReader(reader, time);
  await expect(timed.units.read([], new Set())).rejects.toThrow('damaged');
  await vi.advanceTimersByTimeAsync(100);
  expect(time.ms).toBe(0);
});
