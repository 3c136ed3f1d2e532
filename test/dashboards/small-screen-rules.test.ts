import { describe, expect, test } from 'vitest';
import { lettersOfTip, shiftInto } from '../../dashboards/web/charts/within-window.ts';
import { writtenDays } from '../../dashboards/web/format/dates.ts';
import { roundScale } from '../../dashboards/web/pages/ausschreibungen/round-axis.ts';
import { fold } from '../../dashboards/web/regions/fold.ts';
import { type Hit, ranked } from '../../dashboards/web/regions/hits.ts';
import type { TenderRound } from '../../dashboards/web/v1/tender-answers.ts';

describe('what is read off a chart', () => {
  const box = (left: number, width: number) => ({ left, right: left + width, top: 100, bottom: 200 });

  test('stays where it is as long as it is in the window', () => {
    expect(shiftInto(box(20, 200), 320, 640)).toEqual({ x: 0, y: 0 });
  });

  test('is moved back as far as it sticks out, and begins at the edge where the window is too narrow for it', () => {
    expect(shiftInto(box(200, 200), 320, 640)).toEqual({ x: -86, y: 0 });
    expect(shiftInto(box(-40, 200), 320, 640)).toEqual({ x: 46, y: 0 });
    expect(shiftInto(box(100, 400), 320, 640)).toEqual({ x: -94, y: 0 });
    expect(shiftInto({ left: 10, right: 90, top: 600, bottom: 700 }, 320, 640)).toEqual({ x: 0, y: -66 });
  });

  test('has shorter lines in a narrow chart', () => {
    expect([lettersOfTip(700), lettersOfTip(250) < 9, lettersOfTip(100)]).toEqual([20, true, 7]);
  });
});

test('every day of a text is written with two digits for day and month', () => {
  expect(writtenDays('Windenergie an Land, Gebotstermin 1.5.2026')).toBe(
    'Windenergie an Land, Gebotstermin 01.05.2026',
  );
  expect(writtenDays('vom 31.12.2025 bis 1. 2.2026, Fassung 1.2.3')).toBe(
    'vom 31.12.2025 bis 01.02.2026, Fassung 1.2.3',
  );
});

describe('places that were found', () => {
  const hit = (level: 'bundesland' | 'landkreis' | 'gemeinde', name: string, count = 1): Hit => ({
    region: { level, value: name },
    name,
    detail: '',
    count,
  });
  const order = (typed: string, ...hits: readonly Hit[]) => ranked(hits, fold(typed)).map(({ name }) => name);

  test('begin with the state of that name', () => {
    expect(order('Bayern', hit('gemeinde', 'Neustadt, Bayern', 9), hit('bundesland', 'Bayern'))[0]).toBe('Bayern');
  });

  test('come by their own names: exactly so, with a suffix, then those that begin with it', () => {
    expect(
      order(
        'Neustadt',
        hit('gemeinde', 'Neustadtgödens', 99),
        hit('landkreis', 'Neustadt a.d.Waldnaab', 9),
        hit('gemeinde', 'Neustadt an der Weinstraße', 8),
        hit('gemeinde', 'Neustadt (Hessen)', 5),
        hit('gemeinde', 'Neustadt'),
        hit('gemeinde', 'Titisee-Neustadt', 99),
      ),
    ).toEqual([
      'Neustadt',
      'Neustadt (Hessen)',
      'Neustadt a.d.Waldnaab',
      'Neustadt an der Weinstraße',
      'Neustadtgödens',
      'Titisee-Neustadt',
    ]);
  });

  test('are not taken apart where a word only begins like what stands before a suffix', () => {
    expect(
      order(
        'Bad',
        hit('gemeinde', 'Bad Amstetten', 9),
        hit('gemeinde', 'Bad Innheim', 8),
        hit('gemeinde', 'Bad (Ort)'),
      ),
    ).toEqual(['Bad (Ort)', 'Bad Amstetten', 'Bad Innheim']);
    expect(order('Amstetten', hit('gemeinde', 'Ort (Amstetten)', 9), hit('gemeinde', 'Bad Amstetten'))[0]).toBe(
      'Bad Amstetten',
    );
  });

  test('are found by their own name before others by their suffix', () => {
    expect(
      order(
        'Hessen',
        hit('gemeinde', 'Neustadt (Hessen)', 99),
        hit('gemeinde', 'Hessenthal'),
        hit('gemeinde', 'Bad Hessen'),
      ),
    ).toEqual(['Hessenthal', 'Bad Hessen', 'Neustadt (Hessen)']);
    expect(order('Saale', hit('gemeinde', 'Halle (Saale)'), hit('gemeinde', 'Bad Saaletal'))).toEqual([
      'Bad Saaletal',
      'Halle (Saale)',
    ]);
  });
});

describe('the axis of rounds', () => {
  const rounds = ['2017-05-01', '2017-08-01', '2020-02-01'].map((datum) => ({ datum }) as TenderRound);
  const centre = (round: TenderRound, { at }: ReturnType<typeof roundScale>): number =>
    (at.x1(round).getTime() + at.x2(round).getTime()) / 2;

  test('puts each at its date, in bars that do not touch, however far the next is', () => {
    const scale = roundScale(rounds, 600);
    expect(rounds.map((round) => Math.round(centre(round, scale) / 1000) * 1000)).toEqual(
      rounds.map(({ datum }) => Date.parse(datum)),
    );
    const [first, second] = rounds as [TenderRound, TenderRound];
    expect(scale.at.x2(first).getTime()).toBeLessThan(scale.at.x1(second).getTime());
    expect(scale.x.domain[0]?.getTime()).toBeLessThanOrEqual(scale.at.x1(first).getTime());
  });

  test('shows one round as one bar in a year', () => {
    const { bar, x } = roundScale(rounds.slice(0, 1), 600);
    expect(bar).toBe(26);
    expect((x.domain[1] as Date).getTime() - (x.domain[0] as Date).getTime()).toBeGreaterThan(365 * 86_400_000);
  });
});
