import { useWithinWindow } from '../charts/within-window.ts';
import type { Point } from './projection.ts';
import type { Size } from './view.ts';

/** The text that a map tells of a place. */
export interface Description {
  readonly title: string;
  readonly lines: readonly string[];
}

/** One sentence for readers who hear the map. */
export const spoken = ({ title, lines }: Description): string => [title, ...lines].join(', ');

/** The description of what is pointed at, beside it: to the left of it where there is more room. */
export function Tip({ description, at: [x, y], size }: { description: Description; at: Point; size: Size }) {
  const holder = useWithinWindow();
  const isLeft = x > size.width / 2;
  const isAbove = y > size.height / 2;
  return (
    <div
      ref={holder}
      class="map-tip"
      aria-hidden="true"
      style={{
        left: isLeft ? 'auto' : `${x + 14}px`,
        right: isLeft ? `${size.width - x + 14}px` : 'auto',
        top: isAbove ? 'auto' : `${y + 14}px`,
        bottom: isAbove ? `${size.height - y + 14}px` : 'auto',
      }}
    >
      <b>{description.title}</b>
      {description.lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}
