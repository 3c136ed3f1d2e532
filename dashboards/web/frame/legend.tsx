export interface LegendEntry {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  /** False: it was clicked away. */
  readonly on: boolean;
}

/** @param onToggle absent = nothing can be clicked; @param hatched a word for what is drawn hatched, if anything is */
export function Legend({
  entries,
  onToggle,
  hatched,
}: {
  entries: readonly LegendEntry[];
  onToggle?: (id: string) => void;
  hatched?: string;
}) {
  return (
    <ul class="legend" aria-label="Legende">
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

/** What is shown after a click on one of several: it goes or comes back; the last one brings all back. */
export const toggled = <Id extends string>(id: Id, on: readonly Id[], all: readonly Id[]): readonly Id[] => {
  const next = all.filter((one) => (one === id ? !on.includes(one) : on.includes(one)));
  return next.length === 0 ? all : next;
};
