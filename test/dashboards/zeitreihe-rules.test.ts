import { describe, expect, test } from 'vitest';
import { periodAxis } from '../../dashboards/web/charts/period-axis.ts';
import { barsOf, columnsOf, cumulated, measured, spanOf, sumOf } from '../../dashboards/web/pages/zeitreihe/growth.ts';
import { shownRange, stripRange } from '../../dashboards/web/pages/zeitreihe/range.ts';
import {
  firstDay,
  lastDay,
  momentOfDay,
  PERIOD_KINDS,
  periodLabel,
  periodNumber,
  periodOfDay,
} from '../../dashboards/web/periods/periods.ts';

const row = (periode: string, energietraeger: string, zubauMw = 0, abbauMw = 0, pipelineMw = 0) => ({
  periode,
  energietraeger,
  zubauAnzahl: Math.sign(zubauMw),
  zubauMw,
  abbauAnzahl: Math.sign(abbauMw),
  abbauMw,
  pipelineAnzahl: Math.sign(pipelineMw),
  pipelineMw,
  // Storage for two hours; a version of an earlier release has no energy.
  zubauMwh: energietraeger === 'storage' ? 2 * zubauMw : null,
  abbauMwh: energietraeger === 'storage' ? 2 * abbauMw : null,
  pipelineMwh: energietraeger === 'storage' ? 2 * pipelineMw : null,
});

const ROWS = [
  row('2024-Q4', 'solar', 1, 0.5),
  row('2025-Q1', 'wind', 10, 0, 3),
  row('2025-Q3', 'solar', 2),
  row('2025-Q3', 'wind', 4, 1),
  row('2025-Q4', 'wind', 0, 0, 6),
];
const quarter = (label: string): number => periodNumber('quartal', label);
const RANGE = { first: quarter('2024-Q4'), last: quarter('2025-Q4') };

describe('periods', () => {
  test.each(PERIOD_KINDS)('of kind %s keep their name, and cover each day once', (kind) => {
    for (let day = Date.UTC(2023, 10, 28); day < Date.UTC(2025, 2, 3); day += 86_400_000) {
      const text = new Date(day).toISOString().slice(0, 10);
      const period = periodOfDay(kind, text);
      expect(periodNumber(kind, periodLabel(kind, period))).toBe(period);
      expect(firstDay(kind, period) <= text && text <= lastDay(kind, period)).toBe(true);
    }
  });

  test('are named as the interface names them', () => {
    expect([...PERIOD_KINDS].map((kind) => periodLabel(kind, periodOfDay(kind, '2024-02-29')))).toEqual([
      '2024-Q1',
      '2024-02',
      '2024',
    ]);
    expect(lastDay('monat', periodOfDay('monat', '2024-02-01'))).toBe('2024-02-29');
  });

  test('are over with their last day', () => {
    expect(momentOfDay('quartal', '2025-03-31')).toBe(quarter('2025-Q2'));
    expect(momentOfDay('jahr', '2024-12-31')).toBe(2025);
  });
});

describe('the range', () => {
  const data = { first: quarter('1999-Q1'), last: quarter('2044-Q2') };
  const range = (from: string | null, to: string | null, span: '5jahre' | 'alles' = '5jahre', hasPlans = true) => {
    const { first, last } = shownRange('quartal', { span, from, to, hasPlans }, '2026-11-01', data);
    return [periodLabel('quartal', first), periodLabel('quartal', last)];
  };

  test('is the five years that end with the data, and the next two of plans', () => {
    expect(range(null, null)).toEqual(['2022-Q1', '2028-Q4']);
  });

  test('ends with the data where plans are not shown', () => {
    expect(range(null, null, '5jahre', false)).toEqual(['2022-Q1', '2026-Q4']);
  });

  test('is all that there is, on demand', () => {
    expect(range(null, null, 'alles')).toEqual(['1999-Q1', '2044-Q2']);
  });

  test('is whole periods around the days that were chosen, in either order', () => {
    expect(range('2024-02-29', '2025-05-05')).toEqual(['2024-Q1', '2025-Q2']);
    expect(range('2025-05-05', '2024-02-29')).toEqual(['2024-Q1', '2025-Q2']);
    expect(range(null, '2023-12-31')).toEqual(['2022-Q1', '2023-Q4']);
  });

  test('never has more periods than a chart can show', () => {
    expect(range('0001-01-01', '9999-12-31')).toEqual(['1850-Q1', '2199-Q4']);
  });

  test('lies within the strip, which leaves out what is far from it', () => {
    const shown = { first: quarter('2022-Q1'), last: quarter('2028-Q4') };
    const strip = stripRange('quartal', shown, '5jahre', '2026-11-01', data);
    expect([strip.first, strip.last]).toEqual([quarter('2000-Q1'), quarter('2031-Q4')]);
    expect(stripRange('quartal', data, '5jahre', '2026-11-01', data)).toEqual(data);
    expect(stripRange('quartal', shown, 'alles', '2026-11-01', data)).toEqual(data);
  });
});

describe('growth', () => {
  test('has a column for each period, also where nothing happened', () => {
    const columns = columnsOf(ROWS, 'quartal', RANGE, ['solar', 'wind']);
    expect(columns.map(({ parts }) => parts.map(({ carrier }) => carrier))).toEqual([
      ['solar'],
      ['wind'],
      [],
      ['solar', 'wind'],
      ['wind'],
    ]);
    expect(spanOf('quartal', ROWS)).toEqual(RANGE);
    expect(spanOf('quartal', [])).toBeNull();
  });

  test('leaves out carriers that are not shown, and periods outside of the range', () => {
    const columns = columnsOf(ROWS, 'quartal', { first: quarter('2025-Q1'), last: quarter('2025-Q3') }, ['solar']);
    expect(columns.flatMap(({ parts }) => parts.map(({ zubauMw }) => zubauMw))).toEqual([2]);
  });

  test('adds up from the first period; plans of the past add nothing', () => {
    const columns = cumulated(columnsOf(ROWS, 'quartal', RANGE, ['solar', 'wind']), quarter('2025-Q4'));
    expect(columns.map(({ parts }) => measured(sumOf(parts), 'mw'))).toEqual([
      { zubau: 1, abbau: 0.5, netto: 0.5, pipeline: 0 },
      { zubau: 11, abbau: 0.5, netto: 10.5, pipeline: 0 },
      { zubau: 11, abbau: 0.5, netto: 10.5, pipeline: 0 },
      { zubau: 17, abbau: 1.5, netto: 15.5, pipeline: 0 },
      { zubau: 17, abbau: 1.5, netto: 15.5, pipeline: 6 },
    ]);
  });

  test('sums capacities without the noise of floating point', () => {
    const rows = [row('2025-Q1', 'solar', 0.1), row('2025-Q1', 'storage', 0.2)];
    const columns = columnsOf(rows, 'quartal', RANGE, ['solar', 'storage']);
    expect(sumOf(columns.flatMap(({ parts }) => parts)).zubauMw).toBe(0.3);
  });

  test('of energy is that of storage; other carriers, and earlier releases, have none', () => {
    const rows = [row('2025-Q1', 'wind', 10), row('2025-Q1', 'storage', 4, 1, 2), row('2025-Q3', 'storage', 0.5)];
    const columns = cumulated(columnsOf(rows, 'quartal', RANGE, ['wind', 'storage']), quarter('2025-Q1'));
    expect(columns.map(({ parts }) => measured(sumOf(parts), 'mwh').netto)).toEqual([0, 6, 6, 7, 7]);
    const bars = barsOf(columns.slice(1, 2), { measure: 'mwh', series: ['zubau', 'pipeline'], sideBySide: null });
    expect(bars.map(({ carrier, y2 }) => `${carrier} ${y2}`)).toEqual(['storage 8', 'storage 12']);
  });

  test('stands on top of each other: built, then planned; shut down below', () => {
    const columns = columnsOf(ROWS, 'quartal', RANGE, ['solar', 'wind']);
    const series = ['zubau', 'abbau', 'netto', 'pipeline'] as const;
    const bars = barsOf(columns, { measure: 'mw', series, sideBySide: null }).map(
      ({ carrier, y1, y2, isPlanned }) => `${carrier} ${y1}…${y2}${isPlanned ? ' planned' : ''}`,
    );
    expect(bars).toEqual([
      'solar 0…1',
      'solar 0…-0.5',
      'wind 0…10',
      'wind 10…13 planned',
      'solar 0…2',
      'wind 2…6',
      'wind 0…-1',
      'wind 0…6 planned',
    ]);
  });

  test('stands side by side, each carrier in a place of its own within the period', () => {
    const columns = columnsOf(ROWS, 'quartal', { first: RANGE.last - 1, last: RANGE.last - 1 }, ['solar', 'wind']);
    const bars = barsOf(columns, { measure: 'mw', series: ['zubau'], sideBySide: ['solar', 'wind'] });
    const [solar, wind] = bars.map(({ x1, x2, y1 }) => ({ x1: x1 - RANGE.last + 1, x2: x2 - RANGE.last + 1, y1 }));
    expect(solar).toEqual({ x1: expect.closeTo(0.1), x2: expect.closeTo(0.5), y1: 0 });
    expect(wind).toEqual({ x1: expect.closeTo(0.5), x2: expect.closeTo(0.9), y1: 0 });
  });
});

describe('the axis of periods', () => {
  const spans: readonly (readonly [string, 'monat' | 'quartal' | 'jahr', number, number])[] = [
    ['two years of months', 'monat', 2025 * 12, 2026 * 12 + 11],
    ['seven years of quarters', 'quartal', 2022 * 4, 2028 * 4 + 3],
    ['a century and a half', 'jahr', 1900, 2044],
    ['a century and a half of months', 'monat', 1900 * 12, 2044 * 12 + 11],
  ];
  test.each(spans)('names each year once at most, without overlap, over %s', (_, kind, first, last) => {
    for (const width of [300, 700, 1300]) {
      const { years, parts } = periodAxis(kind, { first, last }, width);
      const pixels = width / (last - first + 1);
      expect(new Set(years.map(({ text }) => text)).size).toBe(years.length);
      expect(years.length).toBeGreaterThan(1);
      for (const labels of [years, parts]) {
        const places = labels.map(({ at }) => at * pixels);
        const least = Math.min(...places.slice(1).map((place, index) => place - (places[index] ?? 0)));
        expect(least).toBeGreaterThanOrEqual(labels === years ? 30 : 12);
      }
    }
  });
});
