import { expect, test } from 'vitest';
import { berlinMidnight, berlinMoment, berlinTime, isLocalMoment } from '../../../api/wire/time.ts';

test('midnight in Berlin follows the clocks', () => {
  expect(berlinMidnight('2026-01-15')).toBe('2026-01-14T23:00:00.000Z');
  expect(berlinMidnight('2026-07-15')).toBe('2026-07-14T22:00:00.000Z');
  expect(berlinMidnight('2026-03-29')).toBe('2026-03-28T23:00:00.000Z');
});

test.each([
  ['in winter', '2026-01-15T12:00', '2026-01-15T11:00:00.000Z'],
  ['in summer', '2026-07-15T12:00:30', '2026-07-15T10:00:30.000Z'],
  ['before the clocks go forward', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['in the hour that is left out', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['after it', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['in the hour that comes twice: the first time', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['after it', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
])('a local time %s', (_, local, moment) => {
  expect(berlinMoment(local)).toBe(moment);
});

test('a moment is written as a form has it', () => {
  expect(berlinTime(Date.parse('2026-07-15T22:05:59Z'))).toBe('2026-07-16T00:05');
  expect(isLocalMoment(berlinTime(Date.now()))).toBe(true);
});

test.each(['', '2026-07-15', '15.07.2026 12:00', '2026-07-15T12:00Z', '2026-13-01T00:00', '0000-01-01T00:00'])(
  '%j is no local time',
  (text) => expect(isLocalMoment(text)).toBe(false),
);
