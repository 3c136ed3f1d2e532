import { afterEach, describe, expect, test, vi } from 'vitest';
import { daysFrom, isCalendarDay, midnight, monthsFrom, time, today } from '../../dashboards/web/format/dates.ts';
import { inEnglish } from '../support/english-pages.ts';

/** Days of the pages are German days, wherever the browser is. */

describe('German days', () => {
  afterEach(() => vi.useRealTimers());

  test('begin at 22 o’clock UTC in summer, at 23 in winter, and with the time of the night before where clocks change', () => {
    const begins = ['2026-07-01', '2026-12-01', '2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26'];
    expect(begins.map((day) => midnight(day).toISOString())).toEqual([
      '2026-06-30T22:00:00.000Z',
      '2026-11-30T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  test('are a day ahead of UTC after German midnight', () => {
    vi.useFakeTimers({ now: new Date('2026-12-31T23:30:00Z') });
    expect(today()).toBe('2027-01-01');
    expect(midnight(today()).getTime()).toBeLessThanOrEqual(Date.now());
    expect(time('2026-12-31T23:30:00Z')).toBe('01.01.2027, 00:30');
  });

  test('are counted over the ends of months, leap days and changes of the clock', () => {
    expect([daysFrom('2026-03-30', -2), daysFrom('2028-02-28', 1), daysFrom('2026-12-31', 1)]).toEqual([
      '2026-03-28',
      '2028-02-29',
      '2027-01-01',
    ]);
    expect([monthsFrom('2026-03-31', -1), monthsFrom('2028-02-29', -12), monthsFrom('2026-11-30', 3)]).toEqual([
      '2026-02-28',
      '2027-02-28',
      '2027-02-28',
    ]);
  });

  test('are told from texts that only look like one', () => {
    expect(['2028-02-29', '2026-02-29', '2026-13-01', '2026-1-1', '2026-02-30', ''].map(isCalendarDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('in English', () => {
  test('days, months and times are written as its readers expect, and read again', async () => {
    const written = await inEnglish(
      'format/dates.ts',
      `({ day, period, time, writtenDays, dayOfText }) => [
        day('2023-05-01'), day(null), period('2026-11'), period('2026-Q1'), time('2026-12-31T23:30:00Z'),
        writtenDays('Gebotstermin 1.5.2026'), dayOfText('1 May 2023'), dayOfText('01.05.2023'), dayOfText('1 Foo 2023')]`,
    );
    expect(written).toEqual([
      ...['1 May 2023', '–', 'Nov 2026', 'Q1 2026', '1 Jan 2027, 00:30'],
      ...['Gebotstermin 1 May 2026', '2023-05-01', null, null],
    ]);
  });

  test('numbers, too', async () => {
    const written = await inEnglish(
      'format/numbers.ts',
      '({ decimal, share, unitCount }) => [decimal(1234.56), share(0.123), unitCount(1), unitCount(1200)]',
    );
    expect(written).toEqual(['1,234.6', '12.3%', '1\u00a0unit', '1,200\u00a0units']);
  });

  test('files separate by commas', async () => {
    const rows = `{ columns: [{ name: 'a' }, { name: 'b' }], rows: [['x,y', 1.5]] }`;
    expect(await inEnglish('frame/table.ts', `({ csvOf }) => csvOf(${rows}, 'z')`)).toBe(
      '\ufeffa,b\r\n"x,y",1.5\r\nz\r\n',
    );
  });
});
