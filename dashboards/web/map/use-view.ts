import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Gestures, useGestures } from './gestures.ts';
import type { Point } from './projection.ts';
import { type Box, held, isNearest, onScreen, type Size, type View, viewOf, zoomed } from './view.ts';

/** The part of the map that is seen, and how it changes. */
interface ViewControl {
  readonly view: View;
  /** True: everything is seen, and nothing was moved. */
  readonly isHome: boolean;
  /** True: there is no nearer view. */
  readonly isNearest: boolean;
  zoom(factor: number, around?: Point): void;
  home(): void;
  /** Shows a box. */
  show(box: Box): void;
  /** Moves a point of the plane onto the screen, if it is not there. */
  reveal(point: Point): void;
}

/** Room between a revealed point and the edge (px). */
const EDGE = 40;

/** @param box everything; @param focus what is seen at first. With others of them the map begins anew */
export function useView(
  svg: RefObject<SVGSVGElement | null>,
  { box, focus, size }: { box: Box; focus: Box | undefined; size: Size },
): ViewControl {
  const home = useMemo(() => viewOf(box, size), [box, size]);
  const first = useMemo(() => (focus === undefined ? home : viewOf(focus, size)), [focus, home, size]);
  const [moved, set] = useState<{ readonly first: View; readonly view: View } | null>(null);
  const view = moved?.first === first ? moved.view : first;
  const change = (derive: (view: View) => View): void =>
    set((before) => {
      const next = held(derive(before?.first === first ? before.view : first), box, size);
      return { first, view: next };
    });
  const zoom = (factor: number, around: Point = [size.width / 2, size.height / 2]): void =>
    change((now) => zoomed(now, factor, around, home));
  const gestures = useRef<Gestures>({ onPan() {}, onZoom() {} });
  useEffect(() => {
    gestures.current = {
      onPan: (dx, dy) => change((now) => ({ ...now, x: now.x + dx, y: now.y + dy })),
      onZoom: zoom,
    };
  });
  useGestures(svg, gestures);
  return {
    view,
    isHome: view === home,
    isNearest: isNearest(view, home),
    zoom,
    home: () => set({ first, view: home }),
    show: (target) => change(() => viewOf(target, size, EDGE)),
    reveal: (point) =>
      change((now) => {
        const [x, y] = onScreen(point, now);
        const into = (value: number, space: number): number =>
          Math.min(Math.max(value, EDGE), Math.max(EDGE, space - EDGE)) - value;
        return { ...now, x: now.x + into(x, size.width), y: now.y + into(y, size.height) };
      }),
  };
}
