import { describe, expect, test } from 'vitest';
import { changeSign, changeText, megawattsIn } from '../../dashboards/web/figures/change.ts';
import { monthsOf, rangeName, spanBefore, sumOf } from '../../dashboards/web/figures/months.ts';
import type { TimeSeriesRow } from '../../dashboards/web/v1/answers.ts';

const row = (periode: string, zubauMw: number, abbauMw = 0): TimeSeriesRow => ({
  periode,
  energietraeger: 'solar',
  zubauAnzahl: 1,
  zubauMw,
  abbauAnzahl: 0,
  abbauMw,
  pipelineAnzahl: 0,
  pipelineMw: 0,
  ...{ zubauMwh: 0, abbauMwh: 0, pipelineMwh: 0 },
});

describe('months that are over', () => {
  test('end with the one before the day of the register, and are two years', () => {
    expect(spanBefore('2026-11-01')).toEqual({ asOf: '2026-11-01', from: '2024-11-01', to: '2026-10-31' });
    expect(spanBefore('2024-03-31')).toEqual({ asOf: '2024-03-31', from: '2022-03-01', to: '2024-02-29' });
    const months = monthsOf(spanBefore('2026-01-15'));
    expect([months.length, months[0], months.at(-1)]).toEqual([24, '2024-01', '2025-12']);
  });

  test('are named from the first to the last', () => {
    expect(rangeName(['2025-11', '2025-12', '2026-01'])).toBe('Nov. 2025 bis Jan. 2026');
    expect(rangeName(['2026-08', '2026-09', '2026-10'])).toBe('Aug. bis Okt. 2026');
  });

  test('are summed over all carriers; a month without a row counts as nothing', () => {
    expect(sumOf([row('2026-01', 2), row('2026-01', 3), row('2026-03', 4)], ['2026-01', '2026-02'], 'zubauMw')).toBe(5);
  });
});

describe('a change', () => {
  const change = (nowMw: number, beforeMw: number) => ({ nowMw, beforeMw });

  test('is that of growth, of what was shut down, or of both together', () => {
    const rows = [row('2026-01', 9, 1), row('2025-01', 4, 2)];
    const of = (series: 'zubau' | 'abbau' | 'netto') => megawattsIn(rows, '2026-01', series);
    expect([of('zubau'), of('abbau'), of('netto')]).toEqual([9, 1, 8]);
  });

  test('is a percentage without a sign, but a difference where there was nothing or a percentage would mislead', () => {
    expect(changeText(change(112, 100))).toBe('12\u202f%');
    expect(changeText(change(85.4, 100))).toBe('14,6\u202f%');
    expect(changeText(change(450, 0))).toBe('450\u202fMW');
    expect(changeText(change(600, 100))).toBe('500\u202fMW');
    expect(changeText(change(-2, 3))).toBe('5\u202fMW');
    expect([changeSign(change(2, 1)), changeSign(change(1, 2))]).toEqual(['▲', '▼']);
  });
});
