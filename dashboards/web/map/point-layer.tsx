import { useMemo, useRef, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { count, decimal } from '../format/numbers.ts';
import { type Cluster, clustersOf } from './clusters.ts';
import { isArrow, neighbour } from './neighbour.ts';
import type { Point } from './projection.ts';
import type { Seen } from './seen.ts';
import { type Description, spoken } from './tip.tsx';
import { useSecondTap } from './touch.ts';
import { around, type Box, type Size, square, type View } from './view.ts';

/** Something that is marked on a map. */
export interface Mark {
  readonly id: string;
  readonly point: Point;
  /** The meaning of the colour: „Solar“. */
  readonly kind: string;
  /** As a CSS value. */
  readonly color: string;
  readonly description: Description;
  /** True: it stands at another place than its own, such as that of its municipality. */
  readonly isElsewhere?: boolean;
  /** Present where the mark stands for several things, which lie in the box. */
  readonly many?: { readonly units: number; readonly elsewhere: number; readonly box: Box };
}

export interface PointLayerProps {
  readonly marks: readonly Mark[];
  /** Names the marks: „Anlagen“. */
  readonly noun: string;
  /** Mark that stands out. */
  readonly selected?: string | undefined;
  readonly onChooseMark?: (mark: Mark) => void;
  /** A click on several marks that no view tells apart. */
  readonly onChooseMany?: (marks: readonly Mark[]) => void;
  /** Is told what the map shows, at first and whenever it has come to rest. */
  readonly onSee?: (seen: Seen) => void;
}

/** Points nearer than this lie at one place: no view tells them apart (km). */
const SAME_PLACE = 0.02;
/** Names of a cluster that are told. */
const MOST_NAMES = 5;

function describeCluster({ members }: Cluster<Mark>, noun: string): Description {
  const [first, ...others] = members;
  if (others.length === 0) return first.description;
  const named = members.filter(({ many }) => many === undefined);
  const names = named.slice(0, MOST_NAMES).map(({ description }) => description.title);
  return {
    title: `${count(unitsOf(members))} ${noun}`,
    lines: named.length > MOST_NAMES ? [...names, '…'] : names,
  };
}

const unitsOf = (members: readonly Mark[]): number => members.reduce((sum, { many }) => sum + (many?.units ?? 1), 0);

const boxOf = (members: readonly Mark[]): Box | null =>
  around(members.map(({ point, many }) => many?.box ?? square(point, 0)));

/** Several things at one place of the screen. */
const isMany = ([first, ...others]: Cluster<Mark>['members']): boolean => others.length > 0 || first.many !== undefined;

/** Points of a map, gathered where they would cover each other. They are one stop of the Tab key, too. */
export function PointLayer({
  marks,
  noun,
  selected,
  onChooseMark,
  onChooseMany,
  view,
  size,
  isNearest,
  onPoint,
  onOpen,
}: PointLayerProps & {
  view: View;
  size: Size;
  /** True: there is no nearer view. */
  isNearest: boolean;
  onPoint: (description: Description | null, at: Point) => void;
  onOpen: (box: Box) => void;
}) {
  const group = useRef<SVGGElement>(null);
  const opens = useSecondTap();
  const [current, setCurrent] = useState(0);
  const clusters = useMemo(
    () =>
      clustersOf(
        marks.filter(({ id }) => id !== selected),
        view,
        size,
      ),
    [marks, selected, view, size],
  );
  const single = marks.filter(({ id }) => id === selected);
  const all = [...clusters, ...clustersOf(single, view, size)];
  const stop = Math.min(current, all.length - 1);

  const open = (cluster: Cluster<Mark>): void => {
    const { members } = cluster;
    if (!isMany(members)) {
      onChooseMark?.(members[0]);
      return;
    }
    const box = boxOf(members);
    if (box === null) return;
    const isSpread = Math.max(box.right - box.left, box.bottom - box.top) > SAME_PLACE;
    if (isSpread && !isNearest) onOpen(box);
    else onChooseMany?.(members);
  };
  const press = (event: KeyboardEvent, cluster: Cluster<Mark>): void => {
    if (event.key === 'Enter') open(cluster);
    if (!isArrow(event.key)) return;
    event.preventDefault();
    const next = neighbour(event.key, cluster.at, all, ({ at }) => at);
    if (next !== null) (group.current?.children[all.indexOf(next)] as SVGElement | undefined)?.focus();
  };
  return (
    <g ref={group} class="points">
      {all.map((cluster, index) => {
        const { at, members } = cluster;
        const [first] = members;
        const many = isMany(members);
        const units = unitsOf(members);
        const description = describeCluster(cluster, noun);
        const isSelected = first.id === selected;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: its role is a link, a button or a picture
          <g
            key={first.id}
            class={
              isSelected ? 'point selected' : many ? 'point many' : first.isElsewhere ? 'point elsewhere' : 'point'
            }
            transform={`translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`}
            role={many ? 'button' : onChooseMark === undefined ? 'img' : 'link'}
            aria-label={spoken(description)}
            tabindex={index === stop ? 0 : -1}
            onPointerOver={() => onPoint(description, at)}
            onPointerLeave={() => onPoint(null, at)}
            onFocus={() => {
              setCurrent(index);
              onPoint(description, at);
            }}
            onBlur={() => onPoint(null, at)}
            onKeyDown={(event) => press(event, cluster)}
            onClick={(event) => {
              if (many || opens(event, first.id)) open(cluster);
              else onPoint(description, at);
            }}
          >
            {many ? (
              <>
                <circle r={radiusOf(units)} />
                <text dy="0.35em" text-anchor="middle">
                  {shortCount(units)}
                </text>
              </>
            ) : (
              <circle r={isSelected ? 8 : 5} style={{ fill: first.color }} />
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Ten times as many points have a circle that is four pixels larger. */
const radiusOf = (members: number): number => 9 + 4 * Math.log10(members);

/** „1,2 T“ for thousands: more does not fit. */
const shortCount = (value: number): string =>
  value < 1000 ? String(value) : `${decimal(value / 1000, value < 10_000 ? 1 : 0)}${say('\u202fT', 'k')}`;
