import { say } from '../format/language.ts';
import type { PictureKey } from './picture.ts';

export interface LegendEntry {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** False: it was clicked away. */
  readonly on: boolean;
}

/**
 * @param label names the list for readers who hear it
 * @param onToggle absent = nothing can be clicked
 * @param hatched a word for what is drawn hatched, if anything is
 * @param line a word for what a line shows, if there is one
 */
export function Legend({
  label = say('Legende', 'Legend'),
  entries,
  onToggle,
  hatched,
  line,
}: {
  label?: string;
  entries: readonly LegendEntry[];
  onToggle?: (id: string) => void;
  hatched?: string;
  line?: string;
}) {
  return (
    <ul class="legend" aria-label={label}>
      {entries.map(({ id, name, color, on }) => (
        <li key={id}>
          {onToggle === undefined ? (
            <span class="key">
              <i style={{ background: color }} />
              {name}
            </span>
          ) : (
            <button type="button" class="key" aria-pressed={on} onClick={() => onToggle(id)}>
              <i style={{ background: color }} />
              {name}
            </button>
          )}
        </li>
      ))}
      {line !== undefined && (
        <li>
          <span class="key">
            <i class="line" />
            {line}
          </span>
        </li>
      )}
      {hatched !== undefined && (
        <li>
          <span class="key">
            <i class="hatched" />
            {hatched}
          </span>
        </li>
      )}
    </ul>
  );
}

/** The legend of a picture: what is shown, and what its marks mean. */
export const pictureKeys = ({ entries, hatched, line }: Parameters<typeof Legend>[0]): readonly PictureKey[] => [
  ...entries.filter(({ on }) => on).map(({ name, color }) => ({ name, color, mark: 'area' as const })),
  ...(line === undefined ? [] : [{ name: line, color: 'var(--ink)', mark: 'line' as const }]),
  ...(hatched === undefined ? [] : [{ name: hatched, color: 'var(--faint)', mark: 'hatched' as const }]),
];

/** Gives those that are shown after a click on one of several: it goes or comes back; the last one brings all back. */
export const toggled = <Id extends string>(id: Id, on: readonly Id[], all: readonly Id[]): readonly Id[] => {
  const next = all.filter((one) => (one === id ? !on.includes(one) : on.includes(one)));
  return next.length === 0 ? all : next;
};
