import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { AreaLayer, type AreaLayerProps, type Pointing } from './area-layer.tsx';
import type { Area } from './boundaries.ts';
import { PointLayer, type PointLayerProps } from './point-layer.tsx';
import type { Point } from './projection.ts';
import { type Seen, seenIn } from './seen.ts';
import { type Description, Tip } from './tip.tsx';
import { useView } from './use-view.ts';
import { type Box, onScreen, type Size, type View } from './view.ts';

export interface MapProps {
  /** Says what is seen, for readers who do not see it. */
  readonly label: string;
  /** Everything that the map shows. */
  readonly box: Box;
  /** The part that is seen at first; absent = everything. */
  readonly focus?: Box | undefined;
  /** True: a map beside a text, less high. */
  readonly isSmall?: boolean;
  /** Lines below everything, as an SVG path: what lies around. */
  readonly surroundings?: string | undefined;
  readonly areas?: AreaLayerProps | undefined;
  /** Lines above the areas, as SVG paths; the last one is the strongest. */
  readonly outlines?: readonly string[];
  readonly points?: PointLayerProps | undefined;
}

interface Pointed {
  readonly description: Description;
  readonly at: Point;
  readonly outline: string | null;
}

/** A map that can be moved and looked into, by mouse, fingers and keyboard. */
export function MapView(props: MapProps) {
  const holder = useRef<HTMLDivElement>(null);
  const size = useSize(holder);
  const { left, top, right, bottom } = props.box;
  return (
    <div
      ref={holder}
      class={props.isSmall ? 'map small' : 'map'}
      style={{ aspectRatio: `${right - left} / ${bottom - top}` }}
    >
      {size !== null && <Drawing {...props} size={size} />}
    </div>
  );
}

/** The size of an element; null before it is laid out. */
function useSize(holder: { readonly current: Element | null }): Size | null {
  const [size, set] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const { current } = holder;
    if (current === null) return;
    const measure = (): void => {
      const { width, height } = current.getBoundingClientRect();
      if (width > 0 && height > 0) set({ width: Math.floor(width), height: Math.floor(height) });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [holder]);
  return size;
}

/** A map that is moved tells nothing for so long (ms). */
const REST = 150;

function useSeen(view: View, size: Size, onSee: ((seen: Seen) => void) | undefined): void {
  const isFirst = useRef(true);
  const tell = useRef(onSee);
  tell.current = onSee;
  const isAsked = onSee !== undefined;
  useEffect(() => {
    if (!isAsked) return;
    const now = (): void => tell.current?.(seenIn(view, size));
    if (isFirst.current) {
      isFirst.current = false;
      now();
      return;
    }
    const timer = setTimeout(now, REST);
    return () => clearTimeout(timer);
  }, [view, size, isAsked]);
}

function Drawing({
  label,
  size,
  box,
  focus,
  surroundings,
  areas,
  outlines = [],
  points,
}: MapProps & { readonly size: Size }) {
  const svg = useRef<SVGSVGElement>(null);
  const { view, isHome, isNearest, zoom, home, show, reveal } = useView(svg, { box, focus, size });
  const [pointed, point] = useState<Pointed | null>(null);
  useSeen(view, size, points?.onSee);

  const pointAt = (area: Area | null, by: Pointing): void => {
    if (area === null || areas === undefined) {
      point(null);
      return;
    }
    if (by === 'keyboard' && !isHome) reveal(area.middle);
    const { title, lines } = areas.describe(area);
    const description = {
      title,
      lines:
        by === 'finger' ? [...lines, say('Nochmals tippen öffnet die Seite.', 'Tapping again opens the page.')] : lines,
    };
    point({ description, at: area.middle, outline: area.path });
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? 1.6 : 1 / 1.6);
    else if (event.key === '0' || event.key === 'Escape') home();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work from every place in the map that has the focus
    <div onKeyDown={press} class="map-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg
        ref={svg}
        width={size.width}
        height={size.height}
        role="group"
        aria-label={label}
        class={isHome ? 'home' : 'moved'}
      >
        <defs>
          <pattern
            id="map-unknown"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(45) scale(${1 / view.scale})`}
          >
            <rect width="6" height="6" class="unknown-ground" />
            <path d="M0 0V6" class="unknown-stripe" stroke-width="3" />
          </pattern>
        </defs>
        <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
          {surroundings !== undefined && (
            <path class="surroundings" d={surroundings} vector-effect="non-scaling-stroke" />
          )}
          {areas !== undefined && <AreaLayer {...areas} onPoint={pointAt} />}
          {outlines.map((path, index) => (
            <path
              key={path.slice(0, 40)}
              class={index === outlines.length - 1 ? 'outline strong' : 'outline'}
              d={path}
              vector-effect="non-scaling-stroke"
            />
          ))}
          {pointed?.outline != null && (
            <path class="pointed" d={pointed.outline} vector-effect="non-scaling-stroke" data-transient />
          )}
        </g>
        {points !== undefined && (
          <PointLayer
            {...points}
            {...{ view, size, isNearest }}
            onPoint={(description, at) =>
              point(
                description === null
                  ? null
                  : { description, at: [(at[0] - view.x) / view.scale, (at[1] - view.y) / view.scale], outline: null },
              )
            }
            onOpen={show}
          />
        )}
      </svg>
      <div class="map-controls">
        <button type="button" aria-label={say('Näher', 'Closer')} onClick={() => zoom(1.6)} disabled={isNearest}>
          +
        </button>
        <button type="button" aria-label={say('Weiter weg', 'Farther')} onClick={() => zoom(1 / 1.6)} disabled={isHome}>
          −
        </button>
        <button type="button" aria-label={say('Alles zeigen', 'Show all')} onClick={home} disabled={isHome}>
          ⌂
        </button>
      </div>
      {pointed !== null && <Tip description={pointed.description} at={onScreen(pointed.at, view)} size={size} />}
    </div>
  );
}
