import type { TargetedPointerEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useWidth } from '../../charts/chart.tsx';
import { period as periodName } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { lengthOf, PERIODS_OF_YEAR, type PeriodKind, periodLabel, type Range } from '../../periods/periods.ts';

/** Room beside the strip for its handles (px). */
const EDGE = 24;
const HEIGHT = 44;

interface StripProps {
  readonly kind: PeriodKind;
  /** The span of the strip. */
  readonly span: Range;
  readonly range: Range;
  /** Height of each period of the strip, 0 to 1. */
  readonly heights: readonly number[];
  /** Gets the range while something is dragged, and null when that was broken off. */
  onDraft(range: Range | null): void;
  onChoose(range: Range): void;
}

type Drag = { readonly what: 'first' | 'last' | 'window' | 'new'; readonly at: number; readonly from: Range };

/**
 * The whole time in small, with the part that is shown: its ends are sliders, its middle can be pushed, and a stroke beside it
 * begins another part.
 */
export function RangeStrip({ kind, span, range, heights, onDraft, onChoose }: StripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const width = Math.max(0, useWidth(strip) - 2 * EDGE);
  const [drag, setDrag] = useState<Drag | null>(null);
  const periods = lengthOf(span);
  const leftOf = (period: number): number => ((period - span.first) / periods) * width;
  const periodAt = (event: PointerEvent): number => {
    const box = strip.current?.getBoundingClientRect();
    const part = box === undefined || width === 0 ? 0 : (event.clientX - box.left - EDGE) / width;
    return span.first + Math.max(0, Math.min(periods - 1, Math.floor(part * periods)));
  };
  const start = (event: TargetedPointerEvent<HTMLElement>): void => {
    const at = periodAt(event);
    const { handle } = (event.target as HTMLElement).dataset;
    const what =
      handle === 'first' || handle === 'last' ? handle : at >= range.first && at <= range.last ? 'window' : 'new';
    setDrag({ what, at, from: range });
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (drag !== null) onDraft(dragged(drag, periodAt(event), span));
  };
  const end = (event: PointerEvent): void => {
    if (drag !== null) onChoose(dragged(drag, periodAt(event), span));
    setDrag(null);
  };
  const breakOff = (): void => {
    if (drag !== null) onDraft(null);
    setDrag(null);
  };
  const onKeyDown = (which: 'first' | 'last', event: KeyboardEvent): void => {
    const step = stepOf(event.key, PERIODS_OF_YEAR[kind], periods);
    if (step === undefined) return;
    event.preventDefault();
    onDraft(dragged({ what: which, at: range[which], from: range }, clamp(range[which] + step, span), span));
  };
  const handle = (which: 'first' | 'last', label: string) => (
    <div
      class="handle"
      data-handle={which}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={(which === 'first' ? span.first : range.first) - span.first + 1}
      aria-valuemax={(which === 'first' ? range.last : span.last) - span.first + 1}
      aria-valuenow={range[which] - span.first + 1}
      aria-valuetext={periodName(periodLabel(kind, range[which]))}
      style={{
        left: `${which === 'first' ? leftOf(range.first) : leftOf(range.last + 1) + EDGE}px`,
        width: `${EDGE}px`,
      }}
      onKeyDown={(event) => onKeyDown(which, event)}
      // Steps of the keyboard are one choice, which is made when the key is let go.
      onKeyUp={(event) => stepOf(event.key, 1, 1) !== undefined && onChoose(range)}
    />
  );
  return (
    <div
      ref={strip}
      class="strip"
      data-transient
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={breakOff}
    >
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${periods} 1`}
        preserveAspectRatio="none"
        style={{ marginLeft: `${EDGE}px` }}
        aria-hidden="true"
      >
        <path d={silhouette(heights)} />
      </svg>
      <div
        class="window"
        style={{ left: `${leftOf(range.first) + EDGE}px`, width: `${(lengthOf(range) / periods) * width}px` }}
      />
      {handle('first', say('Beginn des Zeitraums', 'Beginning of the time span'))}
      {handle('last', say('Ende des Zeitraums', 'End of the time span'))}
      <p class="ends" aria-hidden="true">
        <span>{periodName(periodLabel(kind, span.first))}</span>
        <span>{periodName(periodLabel(kind, span.last))}</span>
      </p>
    </div>
  );
}

const clamp = (period: number, { first, last }: Range): number => Math.max(first, Math.min(last, period));

/** The range after something was dragged to a period. */
function dragged({ what, at, from }: Drag, to: number, span: Range): Range {
  switch (what) {
    case 'first':
      return { first: Math.min(to, from.last), last: from.last };
    case 'last':
      return { first: from.first, last: Math.max(to, from.first) };
    case 'window':
      return moved(from, from.first + to - at, span);
    case 'new':
      // A click beside the window brings the window there.
      return at === to ? centred(from, at, span) : { first: Math.min(at, to), last: Math.max(at, to) };
  }
}

/** The same number of periods from another one on, as far as the strip allows. */
function moved(range: Range, first: number, span: Range): Range {
  const start = clamp(first, { first: span.first, last: span.last - lengthOf(range) + 1 });
  return { first: start, last: start + lengthOf(range) - 1 };
}

const centred = (range: Range, at: number, span: Range): Range =>
  moved(range, at - Math.floor(lengthOf(range) / 2), span);

/** By how many periods a key moves a handle; undefined = the key means nothing here. */
function stepOf(key: string, year: number, all: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -year,
    PageUp: year,
    Home: -all,
    End: all,
  };
  return steps[key];
}

/** The outline of bars of these heights, each 1 wide. */
const silhouette = (heights: readonly number[]): string =>
  `M0 1${heights.map((height, index) => `V${(1 - height).toFixed(4)}H${index + 1}`).join('')}V1Z`;
