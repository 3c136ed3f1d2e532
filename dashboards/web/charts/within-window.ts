import { useLayoutEffect, useRef } from 'preact/hooks';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Room between what is read off a chart and the edge of the window (px). */
const MARGIN = 6;

/** How far a box has to be moved so that it lies in the window; one that is larger than the window begins at its left and top edge. */
export function shiftInto(box: Box, width: number, height: number): { readonly x: number; readonly y: number } {
  const along = (start: number, end: number, size: number): number => {
    const back = Math.min(0, size - MARGIN - end);
    return start + back < MARGIN ? MARGIN - start : back;
  };
  return { x: along(box.left, box.right, width), y: along(box.top, box.bottom, height) };
}

/** Keeps an element in the window, wherever it was placed. */
export function useWithinWindow() {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = holder;
    if (current === null) return;
    current.style.translate = '';
    const { clientWidth, clientHeight } = document.documentElement;
    const { x, y } = shiftInto(current.getBoundingClientRect(), clientWidth, clientHeight);
    if (x !== 0 || y !== 0) current.style.translate = `${x}px ${y}px`;
  });
  return holder;
}

/** Letters of a line in the tip of a chart: it has room on either side of any place. @param width of the chart (px) */
export const lettersOfTip = (width: number): number => Math.max(7, Math.min(20, (width / 2 - 30) / 12));
