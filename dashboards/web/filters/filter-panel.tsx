import { useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { moduleName } from '../frame/state.tsx';
import { RegionPicker } from '../regions/region-picker.tsx';
import { blockTitle, byBlock } from '../units/catalogue.ts';
import { isChosen } from '../units/describe.ts';
import { meantBy } from '../units/filter-words.ts';
import { FREE_TEXT, type UnitFilter } from '../units/filters.ts';
import { OwnSwitch } from '../units/own-switch.tsx';
import { useSignalTexts } from '../units/signals.ts';
import type { NameOf } from '../units/value-names.ts';
import type { SavedFilter } from '../v1/unit-answers.ts';
import { Disclosure } from './disclosure.tsx';
import { type Changes, type FilterAddress, regionChanges } from './filter-address.ts';
import { FilterControl } from './filter-control.tsx';
import { SearchField } from './search-field.tsx';

/** These are open at first: the group of the base form, and in it the carriers. */
const OPEN_AT_FIRST = ['', 'einheitTyp'];

/** All filters as forms, group by group. */
export function FilterPanel({
  list,
  filters,
  nameOf,
  savedFilters,
  filtersOnly = false,
}: {
  list: FilterAddress;
  filters: readonly UnitFilter[];
  nameOf: NameOf;
  savedFilters: readonly SavedFilter[];
  /** True on a page that opens the panel, and chooses place and portfolio, by itself. */
  filtersOnly?: boolean;
}) {
  const { values, savedFilterId, eventId, own, region, change } = list;
  const [isShown, show] = useState(false);
  const all = [...filters.flatMap(({ parameters }) => parameters.map(({ name }) => name)), 'eventId'];
  /** A saved filter stands for all others: none may stand beside it. */
  const chooseSaved = (id: string): void =>
    change({ ...Object.fromEntries(all.map((name) => [name, null])), savedFilterId: id || null });
  const number = filters.filter((filter) => isChosen(filter, values)).length + own.size + Number(eventId !== null);
  return (
    <section class="filters" aria-label={say('Filter', 'Filters')}>
      {!filtersOnly && (
        <button type="button" class="filters-switch" aria-expanded={isShown} onClick={() => show(!isShown)}>
          {isShown
            ? say('Filter schließen', 'Close the filters')
            : number === 0
              ? say('Filter', 'Filters')
              : say(`Filter (${number})`, `Filters (${number})`)}
        </button>
      )}
      <div class={isShown || filtersOnly ? 'filters-body shown' : 'filters-body'}>
        {!filtersOnly && (
          <OwnSwitch value={own.has('portfolio')} onChange={(next) => change({ portfolio: next ? 'true' : null })} />
        )}
        {savedFilters.length > 0 && (
          <label>
            {say('Gespeicherter Filter', 'Saved filter')}
            <select value={savedFilterId ?? ''} onChange={(event) => chooseSaved(event.currentTarget.value)}>
              <option value="">{say('keiner', 'none')}</option>
              {savedFilters.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {savedFilterId !== null ? (
          <p class="note">
            {say(
              'Ein gespeicherter Filter ersetzt alle Kriterien; was er enthält, gibt die Schnittstelle nicht preis. Ohne ihn lässt sich hier selbst auswählen.',
              'A saved filter replaces all criteria; the interface does not tell what it holds. Without it you can choose here yourself.',
            )}
          </p>
        ) : (
          <>
            {filters.some(({ id }) => id === FREE_TEXT) && (
              <SearchField
                value={values.get(FREE_TEXT) ?? ''}
                onChange={(text) => change({ [FREE_TEXT]: text || null })}
              />
            )}
            {!filtersOnly && (
              <RegionPicker label="Region" value={region} onChange={(next) => change(regionChanges(next))} />
            )}
            <Groups
              filters={filters}
              values={eventId === null ? values : new Map([...values, ['eventId', eventId]])}
              nameOf={nameOf}
              onChange={change}
            />
          </>
        )}
      </div>
    </section>
  );
}

function Groups({
  filters,
  values,
  nameOf,
  onChange,
}: {
  filters: readonly UnitFilter[];
  values: ReadonlyMap<string, string>;
  nameOf: NameOf;
  onChange: (changes: Changes) => void;
}) {
  const [typed, type] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(OPEN_AT_FIRST));
  const flip = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const wanted = typed.trim().toLowerCase();
  const meant = meantBy(wanted);
  // Signals are looked for by their names, which the interface has.
  const signals = useSignalTexts(wanted !== '');
  const isSignal =
    wanted !== '' && [...signals.values()].some(({ name }) => name?.toLowerCase().includes(wanted) === true);
  const found = filters.filter(
    (filter) =>
      filter.kind !== 'words' &&
      (matches(filter, wanted) ||
        filter.parameters.some(({ name }) => meant.has(name) || (isSignal && name === 'signals'))),
  );
  return (
    <>
      <label>
        {say('Filter finden', 'Find filters')}
        <input
          type="search"
          placeholder={say('Balkon, Zubau, 20 Jahre, Netzanschluss …', 'balcony, added, 20 years, grid connection …')}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <p class="visually-hidden" role="status">
        {wanted !== '' && say(`${found.length} Filter gefunden`, `${found.length} filters found`)}
      </p>
      {found.length === 0 && <p class="note">{say('So heißt kein Filter.', 'No filter is called so.')}</p>}
      {[...byBlock(found, ({ field }) => field)].map(([block, members]) => {
        const chosen = members.filter((filter) => isChosen(filter, values)).length;
        return (
          <Disclosure
            key={block}
            level="group"
            title={blockTitle(block)}
            mark={<small>{chosen > 0 ? say(`${chosen} gewählt`, `${chosen} chosen`) : members.length}</small>}
            isOpen={wanted !== '' || open.has(block ?? '')}
            onToggle={() => flip(block ?? '')}
          >
            {members.map((filter) =>
              filter.field.verfuegbar ? (
                <Disclosure
                  key={filter.id}
                  level="filter"
                  title={filter.title}
                  mark={
                    isChosen(filter, values) && <i class="chosen" role="img" aria-label={say('gewählt', 'chosen')} />
                  }
                  isOpen={open.has(filter.id)}
                  onToggle={() => flip(filter.id)}
                >
                  <FilterControl filter={filter} values={values} nameOf={nameOf} onChange={onChange} />
                  {filter.field.hinweis !== null && <p class="note">{filter.field.hinweis}</p>}
                </Disclosure>
              ) : (
                <p key={filter.id} class="locked">
                  <span>{filter.title}</span>
                  <small>
                    {say('gesperrt: Modul ', 'locked: module ')}
                    {moduleName(filter.field.modul ?? '')}
                    {say(' ist nicht gebucht', ' is not booked')}
                  </small>
                </p>
              ),
            )}
          </Disclosure>
        );
      })}
    </>
  );
}

const matches = ({ field, parameters, title }: UnitFilter, wanted: string): boolean =>
  [title, field.beschreibung, blockTitle(field.block), ...parameters.map(({ name }) => name)].some((text) =>
    text.toLowerCase().includes(wanted),
  );
