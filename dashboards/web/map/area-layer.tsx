import { useMemo, useRef, useState } from 'preact/hooks';
import type { Area } from './boundaries.ts';
import { isArrow, neighbour } from './neighbour.ts';
import { type Description, spoken } from './tip.tsx';
import { useSecondTap } from './touch.ts';

export interface AreaLayerProps {
  readonly areas: readonly Area[];
  /** Fill as a CSS value. */
  fillOf(area: Area): string;
  describe(area: Area): Description;
  /** A click or Enter; absent = areas lead nowhere. */
  readonly onChoose?: (area: Area) => void;
}

/** The way in which a visitor came to an area. */
export type Pointing = 'pointer' | 'keyboard' | 'finger';

/**
 * The areas of a map. They are one stop of the Tab key, and the arrow keys lead from one to the next.
 * @param onPoint is told which area is pointed at or has the focus; null = none
 */
export function AreaLayer({
  areas,
  fillOf,
  describe,
  onChoose,
  onPoint,
}: AreaLayerProps & { onPoint: (area: Area | null, by: Pointing) => void }) {
  const group = useRef<SVGGElement>(null);
  const opens = useSecondTap();
  const [current, setCurrent] = useState<string | null>(null);
  const stop = areas.find(({ key }) => key === current) ?? areas[0];
  const byKey = useMemo(() => new Map(areas.map((area) => [area.key, area])), [areas]);
  const areaOf = (event: Event): Area | undefined => byKey.get((event.target as SVGElement).dataset.key ?? '');

  const press = (event: KeyboardEvent): void => {
    const area = areaOf(event);
    if (area === undefined) return;
    if (event.key === 'Enter' && onChoose !== undefined) onChoose(area);
    if (!isArrow(event.key)) return;
    event.preventDefault();
    const next = neighbour(event.key, area.middle, areas, ({ middle }) => middle);
    if (next !== null) group.current?.querySelector<SVGElement>(`[data-key="${next.key}"]`)?.focus();
  };

  // Hundreds of paths: they are made anew only when what they show changes.
  const paths = useMemo(
    () =>
      areas.map((area) => (
        <path
          key={area.key}
          data-key={area.key}
          class={onChoose === undefined ? 'area' : 'area chosen-by-click'}
          d={area.path}
          style={{ fill: fillOf(area) }}
          vector-effect="non-scaling-stroke"
          role={onChoose === undefined ? 'img' : 'link'}
          aria-label={spoken(describe(area))}
          tabindex={area === stop ? 0 : -1}
        />
      )),
    [areas, fillOf, describe, onChoose === undefined, stop],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the paths in it are links, and their events come here
    <g
      ref={group}
      onPointerOver={(event) => onPoint(areaOf(event) ?? null, 'pointer')}
      onPointerLeave={() => onPoint(null, 'pointer')}
      onFocusIn={(event) => {
        const area = areaOf(event);
        setCurrent(area?.key ?? null);
        // A click also gives the focus; the pointer is then what shows.
        if ((event.target as Element).matches(':focus-visible')) onPoint(area ?? null, 'keyboard');
      }}
      onFocusOut={() => onPoint(null, 'keyboard')}
      onKeyDown={press}
      onClick={(event) => {
        const area = areaOf(event);
        if (area === undefined) return;
        if (opens(event, area.key)) onChoose?.(area);
        else onPoint(area, 'finger');
      }}
    >
      {paths}
    </g>
  );
}
