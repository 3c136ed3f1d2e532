import type { Point } from './projection.ts';

/** The part of the plane that is seen, and its scale. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point of the plane lies on the screen at `point × scale + shift`. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** The box around boxes; null = there are none. */
export function around(boxes: readonly Box[]): Box | null {
  const [first, ...others] = boxes;
  return first === undefined
    ? null
    : others.reduce(
        (all, box) => ({
          left: Math.min(all.left, box.left),
          top: Math.min(all.top, box.top),
          right: Math.max(all.right, box.right),
          bottom: Math.max(all.bottom, box.bottom),
        }),
        first,
      );
}

/** A square around a point, so many kilometres to each side. */
export const square = ([x, y]: Point, side: number): Box => ({
  left: x - side,
  top: y - side,
  right: x + side,
  bottom: y + side,
});

/** The view that shows a box as large as possible. @param margin around it (px) */
export function viewOf({ left, top, right, bottom }: Box, { width, height }: Size, margin = 12): View {
  const scale = Math.min(
    Math.max(1, width - 2 * margin) / Math.max(right - left, 1e-6),
    Math.max(1, height - 2 * margin) / Math.max(bottom - top, 1e-6),
  );
  return { scale, x: (width - (left + right) * scale) / 2, y: (height - (top + bottom) * scale) / 2 };
}

export const onScreen = ([x, y]: Point, view: View): Point => [x * view.scale + view.x, y * view.scale + view.y];

/** Factors by which one can go in and out, against the view that shows everything. */
const MOST_ZOOM = 240;

/** Nearly: a view is the outcome of many small steps. */
export const isNearest = (view: View, home: View): boolean => view.scale >= home.scale * MOST_ZOOM * 0.999;

/** Goes nearer or farther; what lies below a point of the screen stays there. */
export function zoomed(view: View, factor: number, [x, y]: Point, home: View): View {
  const scale = Math.min(Math.max(view.scale * factor, home.scale), home.scale * MOST_ZOOM);
  const change = scale / view.scale;
  return { scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change };
}

/** Moves a view so that the box stays on the screen: at least its middle third of the screen is never empty. */
export function held(view: View, { left, top, right, bottom }: Box, { width, height }: Size): View {
  const clamp = (shift: number, low: number, high: number, space: number): number => {
    const [least, most] = [space * (2 / 3) - high * view.scale, space / 3 - low * view.scale];
    return least > most ? (least + most) / 2 : Math.min(Math.max(shift, least), most);
  };
  return { scale: view.scale, x: clamp(view.x, left, right, width), y: clamp(view.y, top, bottom, height) };
}
