import * as Plot from '@observablehq/plot';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * The sheet that Plot puts into each chart is named by the policy of the pages with its digest, which holds for this class
 * (api/app/page.ts).
 */
const CLASS_NAME = 'plot';

/**
 * A chart of Observable Plot as wide as the space it has.
 * @param options makes the chart for a width in pixels
 * @param label says what is seen, for readers who do not see it; the table beside the chart has the figures
 * @param onDraw is called with the drawing, to put handlers on it
 * @param overlay makes what lies over the chart, such as a readout; it does not draw the chart anew when it changes itself
 */
export function Chart({
  options,
  label,
  onDraw,
  overlay,
}: {
  options: (width: number) => Plot.PlotOptions;
  label: string;
  onDraw?: (drawing: Element) => void;
  overlay?: (width: number) => ComponentChildren;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  useLayoutEffect(() => {
    if (holder.current === null || width === 0) return;
    const drawing = Plot.plot({ className: CLASS_NAME, ...options(width), width, figure: false } as Plot.PlotOptions);
    // The table says the same; a reader of screens would otherwise hear every tick.
    drawing.setAttribute('aria-hidden', 'true');
    holder.current.replaceChildren(drawing);
    onDraw?.(drawing);
  });
  const drawing = <div ref={holder} class="chart" role="img" aria-label={label} />;
  if (overlay === undefined) return drawing;
  return (
    <div class="chart-with-overlay">
      {drawing}
      {width > 0 && overlay(width)}
    </div>
  );
}

/** The width of an element (px), as it is now; 0 before it is laid out. */
export function useWidth(holder: { readonly current: Element | null }): number {
  const [width, set] = useState(0);
  useEffect(() => {
    const { current } = holder;
    if (current === null) return;
    const observer = new ResizeObserver(([entry]) => set(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    set(Math.floor(current.getBoundingClientRect().width));
    return () => observer.disconnect();
  }, [holder]);
  return width;
}
