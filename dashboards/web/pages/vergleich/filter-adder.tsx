import { useMemo, useState } from 'preact/hooks';
import type { Changes, FilterAddress } from '../../filters/filter-address.ts';
import { FilterPanel } from '../../filters/filter-panel.tsx';
import { say } from '../../format/language.ts';
import { isFilter } from '../../keep/kept.ts';
import { placeColor } from '../../regions/compared-places.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import { useValueNames } from '../../units/value-names.ts';
import { queryOf, useFilters, useSavedFilters } from './filter-series.ts';

const NONE: ReadonlyMap<string, string> = new Map();
const NO_FILTERS: readonly never[] = [];

/** Adds filters of the list, or saved ones, to a comparison, and lists those that are in it. */
export function FilterAdder({
  series,
  names,
  before,
  isFull,
  onChange,
}: {
  series: readonly string[];
  names: readonly string[];
  /** Places that stand before them in the order of colours. */
  before: number;
  isFull: boolean;
  onChange: (series: readonly string[], added: ReadonlyMap<string, string>) => void;
}) {
  const [isOpen, open] = useState(false);
  return (
    <>
      {series.length > 0 && (
        <ul class="compared" aria-label={say('Verglichene Filter', 'Compared filters')}>
          {series.map((query, index) => (
            <li key={query}>
              <i class="swatch" style={{ background: placeColor(before + index, false) }} />
              <bdi>{names[index]}</bdi>
              <button
                type="button"
                aria-label={say(
                  `${names[index]} aus dem Vergleich nehmen`,
                  `Take ${names[index]} out of the comparison`,
                )}
                onClick={() =>
                  onChange(
                    series.filter((one) => one !== query),
                    NONE,
                  )
                }
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <details
          class="as-table filter-adder"
          open={isOpen}
          onToggle={(event) => open((event.currentTarget as HTMLDetailsElement).open)}
        >
          <summary>{say('Filter hinzufügen', 'Add a filter')}</summary>
          {isOpen && (
            <Choosing
              onAdd={(values) => {
                open(false);
                onChange([...new Set([...series, queryOf(values)])], values);
              }}
            />
          )}
        </details>
      )}
    </>
  );
}

/** The filters of the list, kept here until they are added. */
function Choosing({ onAdd }: { onAdd: (values: ReadonlyMap<string, string>) => void }) {
  const [chosen, choose] = useState(NONE);
  const filters = useFilters(true);
  const savedFilters = useSavedFilters(true);
  const nameOf = useValueNames(chosen, useSignalTexts(true));
  const list = useMemo((): FilterAddress => {
    const values = new Map([...chosen].filter(([name]) => name !== 'savedFilterId'));
    return {
      values,
      savedFilterId: chosen.get('savedFilterId') ?? null,
      eventId: null,
      own: NONE,
      region: null,
      change(changes: Changes) {
        choose((before) => {
          const next = new Map(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        });
      },
    };
  }, [chosen]);
  return (
    <>
      <FilterPanel
        list={list}
        filters={filters ?? NO_FILTERS}
        nameOf={nameOf}
        savedFilters={savedFilters.filter(isFilter)}
        filtersOnly
      />
      <p class="actions">
        <button type="button" class="primary" disabled={chosen.size === 0} onClick={() => onAdd(chosen)}>
          {say('Als Reihe hinzufügen', 'Add as a series')}
        </button>
      </p>
    </>
  );
}
