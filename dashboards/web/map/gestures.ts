import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Point } from './projection.ts';

/** Tells what a visitor does with a map by mouse, pen or fingers. */
export interface Gestures {
  /** Moves by so many pixels. */
  onPan(dx: number, dy: number): void;
  /** Goes nearer (above 1) or farther, around a point of the map (px). */
  onZoom(factor: number, around: Point): void;
}

/** A press that moves less is a click (px). */
const STILL = 4;

/**
 * Listens to drags, pinches, double clicks and the wheel. The wheel alone scrolls the page, as on every map inside of a text;
 * with Ctrl or ⌘, and with two fingers on a touchpad, it zooms.
 */
export function useGestures(target: RefObject<SVGSVGElement | null>, gestures: RefObject<Gestures>): void {
  useEffect(() => {
    const { current: element } = target;
    if (element === null) return;
    const fingers = new Map<number, Point>();
    let hasMoved = false;

    const place = (event: MouseEvent): Point => {
      const { left, top } = element.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    const down = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, place(event));
      if (fingers.size === 1) hasMoved = false;
    };
    const move = (event: PointerEvent): void => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const now = place(event);
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      if (!hasMoved && fingers.size === 1 && Math.hypot(dx, dy) < STILL) return;
      if (!hasMoved) element.setPointerCapture(event.pointerId);
      hasMoved = true;
      fingers.set(event.pointerId, now);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other === undefined) {
        gestures.current?.onPan(dx, dy);
        return;
      }
      // Each of two fingers moves the middle by half of its own way.
      const apart = (finger: Point): number => Math.max(1, Math.hypot(finger[0] - other[0], finger[1] - other[1]));
      gestures.current?.onPan(dx / 2, dy / 2);
      gestures.current?.onZoom(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    };
    const up = (event: PointerEvent): void => {
      fingers.delete(event.pointerId);
    };
    const click = (event: MouseEvent): void => {
      // The end of a drag is no click on what lies below.
      if (!hasMoved) return;
      event.stopPropagation();
      event.preventDefault();
      hasMoved = false;
    };
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      gestures.current?.onZoom(2 ** (-event.deltaY / 200), place(event));
    };

    const ends = ['pointerup', 'pointercancel', 'pointerleave', 'lostpointercapture'] as const;
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    for (const end of ends) element.addEventListener(end, up);
    element.addEventListener('click', click, { capture: true });
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      for (const end of ends) element.removeEventListener(end, up);
      element.removeEventListener('click', click, { capture: true });
      element.removeEventListener('wheel', wheel);
    };
  }, [target, gestures]);
}
