import { describe, expect, it } from 'vitest';
import { nextAction } from '../../../ingest/nightly/slot.ts';
import type { NightRecord } from '../../../runtime/nightly-record.ts';
import { readSettings } from '../../../runtime/settings.ts';

const SLOT = '2026-11-01T03:30:00.000Z';
const settings = readSettings({ NIGHTLY_ATTEMPTS: '3', NIGHTLY_PAUSE_MINUTES: '45' });

const night = (changed: Partial<NightRecord> = {}): NightRecord => ({
  startedAt: '2026-11-01T03:30:01.000Z',
  endedAt: '2026-11-01T04:00:00.000Z',
  slot: SLOT,
  outcome: 'failed',
  steps: {},
  failedStep: 'fetch',
  message: 'no answer',
  exitCode: 1,
  ...changed,
});

const next = (nights: readonly NightRecord[], time: string) =>
  nextAction(nights, SLOT, settings, Date.parse(`2026-11-01T${time}Z`));

describe('a slot of the schedule', () => {
  it('runs when it has not run yet, whatever the outcome of others', () => {
    const others = [night({ slot: null }), night({ slot: '2026-10-31T03:30:00.000Z', outcome: 'published' })];
    expect(next([], '03:30:00')).toEqual({ do: 'run' });
    expect(next(others, '03:30:00')).toEqual({ do: 'run' });
  });

  it.each(['published', 'nothing new'] as const)('is over after the outcome %s', (outcome) => {
    expect(next([night(), night({ outcome, message: 'well' })], '09:00:00')).toEqual({
      do: 'stop',
      failed: false,
      why: 'well',
    });
  });

  it('waits while another process runs it', () => {
    expect(next([night({ outcome: 'running', endedAt: null })], '03:31:00').do).toBe('wait');
  });

  it('is retried after a failure and a pause', () => {
    expect(next([night()], '04:44:00')).toEqual({ do: 'wait', ms: 60_000 });
    expect(next([night()], '04:45:00')).toEqual({ do: 'run' });
  });

  it('is retried when its process was killed', () => {
    expect(next([night({ endedAt: null, exitCode: null })], '04:16:00')).toEqual({ do: 'run' });
  });

  it('is abandoned after the last try', () => {
    expect(next([night(), night(), night()], '23:00:00')).toEqual({
      do: 'stop',
      failed: true,
      why: 'it failed 3 times, last in its step fetch: no answer',
    });
  });

  it.each([2, 3, 5])('is not retried after exit code %i, since it would fail again', (exitCode) => {
    expect(next([night({ exitCode })], '23:00:00').do).toBe('stop');
  });

  it.each([1, 4, 6, 130, 143])('is retried after exit code %i', (exitCode) => {
    expect(next([night({ exitCode })], '23:00:00').do).toBe('run');
  });
});
