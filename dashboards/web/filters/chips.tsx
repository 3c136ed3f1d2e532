import { useNavigation } from '../address/address.ts';
import { say } from '../format/language.ts';
import { LEVELS } from '../regions/region.ts';
import { useRegionName } from '../regions/use-region-name.ts';
import { describedFilter, describedOwn, isChosen } from '../units/describe.ts';
import { isOnePlace, type UnitFilter } from '../units/filters.ts';
import type { NameOf } from '../units/value-names.ts';
import type { SavedFilter } from '../v1/unit-answers.ts';
import { type FilterAddress, OWN_FILTERS } from './filter-address.ts';

/** Shows to what the list is narrowed, each to be taken away again. */
export function Chips({
  list,
  filters,
  nameOf,
  savedFilters,
}: {
  list: FilterAddress;
  filters: readonly UnitFilter[];
  nameOf: NameOf;
  savedFilters: readonly SavedFilter[];
}) {
  const { at } = useNavigation();
  const { values, savedFilterId, eventId, own, change } = list;
  const chosen = filters.filter((filter) => isChosen(filter, values));
  const taken = [
    ...chosen.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    ...own.keys(),
    'eventId',
    'savedFilterId',
  ];
  const number = chosen.length + own.size + Number(eventId !== null) + Number(savedFilterId !== null);
  if (number === 0) return null;
  return (
    <ul class="chips" aria-label={say('Gewählte Filter', 'Chosen filters')}>
      {eventId !== null && (
        <Chip
          title={say('Einheiten des Ereignisses', 'Units of the event')}
          text={eventId}
          onRemove={() => change({ eventId: null })}
        />
      )}
      {savedFilterId !== null && (
        <Chip
          title={say('Gespeicherter Filter', 'Saved filter')}
          text={savedFilters.find(({ id }) => id === savedFilterId)?.name ?? savedFilterId}
          onRemove={() => change({ savedFilterId: null })}
        />
      )}
      {[...own].map(([id, value]) => (
        <Chip
          key={id}
          title={OWN_FILTERS.get(id) ?? id}
          text={describedOwn(id, value)}
          onRemove={() => change({ [id]: null })}
        />
      ))}
      {chosen.map((filter) => {
        const onRemove = (): void => change(Object.fromEntries(filter.parameters.map(({ name }) => [name, null])));
        const { id, title } = filter;
        return isOnePlace(id) ? (
          <PlaceChip key={id} level={id} title={title} value={values.get(id) ?? ''} onRemove={onRemove} />
        ) : (
          <Chip key={id} title={title} text={describedFilter(filter, values, nameOf)} onRemove={onRemove} />
        );
      })}
      {eventId !== null && (
        <li>
          <a href={at('karte', { eventId })}>{say('Auf der Karte', 'On the map')}</a>
        </li>
      )}
      {number > 1 && (
        <li>
          <button
            type="button"
            class="quiet"
            onClick={() => change(Object.fromEntries(taken.map((name) => [name, null])))}
          >
            {say('Alle entfernen', 'Remove all')}
          </button>
        </li>
      )}
    </ul>
  );
}

/** A place is asked for by its key, and known by its name. */
function PlaceChip({
  level,
  title,
  value,
  onRemove,
}: {
  level: string;
  title: string;
  value: string;
  onRemove: () => void;
}) {
  const known = LEVELS.find((name) => name === level);
  const name = useRegionName(known === undefined ? null : { level: known, value });
  return <Chip title={title} text={name} onRemove={onRemove} />;
}

function Chip({ title, text, onRemove }: { title: string; text: string; onRemove: () => void }) {
  return (
    <li class="chip">
      <span>
        {title}: <bdi>{text}</bdi>
      </span>
      <button type="button" aria-label={say(`Entfernen: ${title}`, `Remove: ${title}`)} onClick={onRemove}>
        <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}
