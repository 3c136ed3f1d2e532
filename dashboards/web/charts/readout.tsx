import type { CSSProperties, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useWithinWindow } from './within-window.ts';

/** The values that are read off a chart at one place. */
export interface Reading {
  readonly title: string;
  readonly rows: readonly ReadingRow[];
}

interface ReadingRow {
  readonly name: string;
  readonly value: string;
  /** Colour (CSS) of what it is about. */
  readonly color?: string;
}

interface ReadoutProps {
  /** Names the values: „Werte je Quartal“. */
  readonly label: string;
  /** Number of places along the axis, all of one size. */
  readonly count: number;
  readonly axis: 'x' | 'y';
  /** The part of the chart in which the places lie (px). */
  readonly area: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  read(place: number): Reading;
}

/**
 * Reads exact values off a chart: under the pointer, with a finger, or with the arrow keys. It is a slider to assistive
 * technology, which therefore speaks the values of each place that is reached.
 */
export function Readout({ label, count, axis, area, read }: ReadoutProps) {
  const [chosen, choose] = useState<number | null>(null);
  const place = chosen === null ? null : Math.min(chosen, count - 1);
  const reading = place === null ? null : read(place);
  const moveTo = (event: TargetedPointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = axis === 'x' ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    choose(Math.max(0, Math.min(count - 1, Math.floor(part * count))));
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const next = event.key === 'Escape' ? null : placeAfter(event.key, place, count, axis);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  const size = (axis === 'x' ? area.width : area.height) / count;
  return (
    <div class="readout" style={px(area)}>
      <div
        class="readout-area"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation={axis === 'x' ? 'horizontal' : 'vertical'}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(place ?? count - 1) + 1}
        aria-valuetext={spoken(reading ?? read(count - 1))}
        onPointerMove={moveTo}
        onPointerDown={moveTo}
        // A finger leaves as soon as it has tapped: what it has read stays until it taps elsewhere.
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && choose(null)}
        onPointerCancel={() => choose(null)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && choose(place ?? count - 1)}
        onBlur={() => choose(null)}
      />
      {place !== null && reading !== null && (
        <>
          <div
            class="readout-place"
            style={
              axis === 'x'
                ? px({ left: place * size, top: 0, width: size, height: area.height })
                : px({ left: 0, top: place * size, width: area.width, height: size })
            }
          />
          <Bubble reading={reading} style={bubblePlace(axis, (place + 0.5) * size, area)} />
        </>
      )}
    </div>
  );
}

function Bubble({ reading, style }: { reading: Reading; style: CSSProperties }) {
  const holder = useWithinWindow();
  return (
    <div ref={holder} class="bubble" style={style} aria-hidden="true">
      <b>{reading.title}</b>
      <dl>
        {reading.rows.map(({ name, value, color }) => (
          <div key={name}>
            <dt>
              {color !== undefined && <i style={{ background: color }} />}
              {name}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Gives the place to which a key leads; undefined = the key means nothing here. */
function placeAfter(key: string, place: number | null, count: number, axis: 'x' | 'y'): number | undefined {
  const start = place ?? count - 1;
  const leap = Math.max(1, Math.round(count / 10));
  // A list of places down the page grows downwards, whatever a slider would do.
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: axis === 'y' ? -1 : 1,
    ArrowDown: axis === 'y' ? 1 : -1,
    PageUp: axis === 'y' ? -leap : leap,
    PageDown: axis === 'y' ? leap : -leap,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.max(0, Math.min(count - 1, start + step));
}

const spoken = ({ title, rows }: Reading): string =>
  [title, ...rows.map(({ name, value }) => `${name} ${value}`)].join(', ');

/** The bubble lies on the side with more room, so that it covers little of the chart. */
function bubblePlace(axis: 'x' | 'y', at: number, { width, height }: ReadoutProps['area']): CSSProperties {
  if (axis === 'x')
    return at < width / 2 ? { left: `${at + 14}px`, top: 0 } : { right: `${width - at + 14}px`, top: 0 };
  return at < height / 2 ? { right: 0, top: `${at + 14}px` } : { right: 0, bottom: `${height - at + 14}px` };
}

const px = (box: Readonly<Record<string, number>>): CSSProperties =>
  Object.fromEntries(Object.entries(box).map(([name, value]) => [name, `${value}px`]));
