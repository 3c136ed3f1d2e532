import * as Plot from '@observablehq/plot';
import { Chart } from '../charts/chart.tsx';
import { Readout } from '../charts/readout.tsx';
import { ticksAround } from '../charts/ticks.ts';
import { say } from '../format/language.ts';
import { decimal, unitCount } from '../format/numbers.ts';
import { type Measure, type Step, stepText } from './causes.ts';

/** Height of a step: its words, and its bar beneath them (px). */
const STEP = 46;
const WORDS = 20;
const MARGIN = { top: 4, right: 24, bottom: 28, left: 24 } as const;
/** Of a chart this wide and wider (px), the axis has more values. */
const WIDE = 560;
/** Sums that move by less of themselves are drawn as lines: beside them as bars nobody would see what moved. */
const SMALL_PART = 0.2;

const heightOf = (steps: readonly Step[]): number => steps.length * STEP + MARGIN.top + MARGIN.bottom;

/** True where the axis does not begin at 0. */
export function isCut(steps: readonly Step[]): boolean {
  const reached = steps.map(({ to }) => to);
  const [least, most] = [Math.min(...reached), Math.max(...reached)];
  return least > 0 && most - least < SMALL_PART * most && most > least;
}

/** A sum, each cause that moved it from where the one before has led, and the sum after. */
export function Waterfall({ steps, measure, label }: { steps: readonly Step[]; measure: Measure; label: string }) {
  const cut = isCut(steps);
  const reached = steps.map(({ to }) => to);
  const [least, most] = [Math.min(...reached, ...(cut ? [] : [0])), Math.max(...reached, ...(cut ? [] : [0]))];
  const height = heightOf(steps);
  const options = (width: number): Plot.PlotOptions => {
    const ticks = ticksAround(least, most, width >= WIDE ? 6 : 2).filter(
      (tick) => measure === 'mw' || Number.isInteger(tick),
    );
    const rows = steps.map((step, index) => ({ ...step, index }));
    const sums = rows.filter(({ isSum }) => isSum);
    const causes = rows.filter(({ isSum }) => !isSum);
    return {
      height,
      marginTop: MARGIN.top,
      marginRight: MARGIN.right,
      marginBottom: MARGIN.bottom,
      marginLeft: MARGIN.left,
      x: { type: 'linear', domain: [Math.min(least, ...ticks), Math.max(most, ...ticks)], axis: null },
      y: { type: 'band', domain: rows.map(({ index }) => index), padding: 0, axis: null },
      marks: [
        Plot.gridX(ticks, { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.axisX(ticks, {
          tickSize: 0,
          tickFormat: (tick: number) => decimal(tick, 3),
          label: null,
          fill: 'var(--faint)',
        }),
        cut
          ? Plot.tickX(sums, {
              x: 'to',
              y: 'index',
              stroke: 'var(--ink)',
              strokeWidth: 3,
              insetTop: WORDS,
              insetBottom: 4,
            })
          : Plot.barX(sums, {
              x1: 'from',
              x2: 'to',
              y: 'index',
              fill: 'var(--faint)',
              insetTop: WORDS,
              insetBottom: 4,
            }),
        Plot.barX(causes, {
          x1: 'from',
          x2: 'to',
          y: 'index',
          fill: colorOf,
          insetTop: WORDS,
          insetBottom: 4,
        }),
        // What moved nothing, or too little to be seen, still has its place.
        Plot.tickX(causes, { x: 'to', y: 'index', stroke: colorOf, strokeWidth: 2, insetTop: WORDS, insetBottom: 4 }),
        Plot.link(rows.slice(1), {
          x1: ({ index }: { index: number }) => steps[index - 1]?.to ?? 0,
          x2: ({ index }: { index: number }) => steps[index - 1]?.to ?? 0,
          y1: ({ index }: { index: number }) => index - 1,
          y2: 'index',
          stroke: 'var(--faint)',
          strokeDasharray: '2 3',
        }),
        cut ? null : Plot.ruleX([0], { stroke: 'var(--ink)' }),
        wordsOf(sums, measure, 600),
        wordsOf(causes, measure, 400),
      ],
    };
  };
  return (
    <Chart
      label={label}
      options={options}
      overlay={(width) => (
        <Readout
          label={say('Werte ablesen', 'Read values')}
          axis="y"
          count={steps.length}
          area={{
            left: MARGIN.left,
            top: MARGIN.top,
            width: width - MARGIN.left - MARGIN.right,
            height: height - MARGIN.top - MARGIN.bottom,
          }}
          read={(place) => {
            const step = steps[place];
            if (step === undefined) return { title: '', rows: [] };
            return {
              title: step.name,
              rows: [
                {
                  name: step.isSum ? say('Summe', 'Sum') : say('bewegt um', 'moved by'),
                  value: stepText(step, measure),
                },
                ...(step.isSum ? [] : [{ name: say('betrifft', 'concerns'), value: unitCount(step.units) }]),
              ],
            };
          }}
        />
      )}
    />
  );
}

const colorOf = ({ from, to }: Step): string => (to < from ? 'var(--place-1)' : 'var(--accent)');

/** Name and value of steps, over their bars. */
const wordsOf = (steps: readonly (Step & { readonly index: number })[], measure: Measure, fontWeight: number) =>
  Plot.text(steps, {
    y: 'index',
    text: (step: Step) => `${step.name}: ${stepText(step, measure)}`,
    frameAnchor: 'left',
    textAnchor: 'start',
    dx: 4 - MARGIN.left,
    dy: WORDS / 2 - STEP / 2,
    fill: 'var(--ink)',
    stroke: 'var(--paper)',
    strokeWidth: 4,
    fontWeight,
    fontSize: 12,
  });
