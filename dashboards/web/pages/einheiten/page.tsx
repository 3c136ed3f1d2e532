import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { Chips } from '../../filters/chips.tsx';
import { FilterPanel } from '../../filters/filter-panel.tsx';
import { say } from '../../format/language.ts';
import { unitCount } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { LinkRefused } from '../../frame/link-refused.tsx';
import { Page as Frame } from '../../frame/page.tsx';
import type { Table } from '../../frame/table.ts';
import { isFilter, ownPart, type Watchable } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { useRegionName } from '../../regions/use-region-name.ts';
import type { Catalogue } from '../../units/catalogue.ts';
import { criteriaOf } from '../../units/criteria.ts';
import { describedFilter, isChosen, titleParts } from '../../units/describe.ts';
import { filtersOf, isOnePlace } from '../../units/filters.ts';
import { ListDownload } from '../../units/list-download.tsx';
import { OWN_PORTFOLIO } from '../../units/own-switch.tsx';
import { Paging, ROWS_OF_A_PAGE } from '../../units/paging.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { useValueNames } from '../../units/value-names.ts';
import { cellOf, digitsOf, isNumeric } from '../../units/values.tsx';
import { shown } from '../../v1/loaded.ts';
import { type ApiRequest, listItems } from '../../v1/request.ts';
import type { ReferenceSetList, SavedFilterList, UnitFields, UnitRows } from '../../v1/unit-answers.ts';
import { useAnswer, useVisit } from '../../v1/use-answer.ts';
import { ColumnPicker } from './column-picker.tsx';
import { HintLines } from './hint-lines.tsx';
import { useListAddress } from './list-address.ts';
import { mapChoicesOf } from './map-choices.ts';
import { UnitTable } from './unit-table.tsx';

const SETS: ApiRequest = { path: '/v1/reference' };
const SAVED_FILTERS: ApiRequest = { path: '/v1/saved-filters' };
const NO_FIELDS: Catalogue['fields'] = [];

/** The filters are those of the catalogue, which has to be read first. */
export const CHOICES = null;

export function Page() {
  const { me, isShared } = useVisit();
  const { at } = useNavigation();
  const loadedCatalogue = useCatalogue();
  const catalogue = shown(loadedCatalogue);
  const sets = useAnswer<ReferenceSetList>(SETS);
  const saved = shown(useAnswer<SavedFilterList>(me.key.scopes.includes('saved_filters:read') ? SAVED_FILTERS : null));
  const filters = useMemo(
    () => (catalogue === null || sets.state === 'loading' ? [] : filtersOf(catalogue, shown(sets)?.data ?? null)),
    [catalogue, sets],
  );
  const list = useListAddress(catalogue, filters);
  const { values, columns, sort, cursor, criteria, change } = list;
  const signals = useSignalTexts(columns.includes('signals') || values.has('signals'));
  const nameOf = useValueNames(values, signals);
  const region = useRegionName(list.region);

  const fields = useMemo(() => {
    const named = ['mastrNummer', ...columns].map((name) => catalogue?.byName.get(name));
    return catalogue === null ? NO_FIELDS : named.filter((field) => field !== undefined);
  }, [catalogue, columns]);
  const rowsOfPage = Math.min(list.limit ?? ROWS_OF_A_PAGE, ROWS_OF_A_PAGE, me.limits.maxPageSize);
  const request: ApiRequest = {
    path: '/v1/units',
    query: {
      ...criteria,
      sort: list.order,
      fields: fields.map(({ name }) => name),
    },
  };
  const isReady = filters.length > 0 && list.faults.length === 0;
  const listed = useAnswer<UnitRows>(
    isReady ? { ...request, query: { ...request.query, limit: rowsOfPage, cursor } } : null,
  );
  // The list is asked for when the catalogue is there; until then it waits for what the catalogue waits for.
  const loaded =
    loadedCatalogue.state === 'failed'
      ? loadedCatalogue
      : loadedCatalogue.state === 'loading' && catalogue === null
        ? { ...loadedCatalogue, previous: null }
        : listed;

  const tableOf = (rows: readonly UnitFields[]): Table => ({
    columns: fields.map((field) => ({
      name: catalogue?.titleOf(field) ?? field.name,
      ...(field.einheit === null ? {} : { unit: field.einheit }),
      numeric: isNumeric(field),
      digits: digitsOf(field),
    })),
    rows: rows.map((row) => fields.map((field) => cellOf(field, row[field.name], signals))),
  });
  const title = list.region === null ? say('Einheiten', 'Units') : say(`Einheiten: ${region}`, `Units: ${region}`);
  // A file has room for all filters.
  const allWords = [
    title,
    ...titleParts(
      filters.filter(({ id }) => id !== list.region?.level),
      values,
      nameOf,
      Number.POSITIVE_INFINITY,
    ),
    list.own.size > 0 ? OWN_PORTFOLIO : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
  const about = [
    list.region === null ? null : region,
    ...titleParts(
      filters.filter(({ id }) => id !== list.region?.level),
      values,
      nameOf,
    ),
    list.own.size > 0 ? OWN_PORTFOLIO : null,
  ];
  const operators = isShared ? [] : listItems(values.get('netzbetreiber') ?? '');
  const operator = operators.length === 1 ? (operators[0] ?? null) : null;
  const onMap = isShared || !isReady ? null : mapChoicesOf(list);
  const total = shown(listed)?.meta.page.total;
  const savedFilters = saved?.data ?? [];
  const described =
    list.savedFilterId !== null
      ? (savedFilters.find(({ id }) => id === list.savedFilterId)?.name ?? null)
      : filters
          .filter((filter) => isChosen(filter, values))
          .map((filter) => (isOnePlace(filter.id) ? region : describedFilter(filter, values, nameOf)))
          .join(', ') || null;
  const watchable: Watchable = {
    name: described,
    criteria: criteriaOf(values, filters),
    savedFilterId: list.savedFilterId,
    ...ownPart([...list.own.keys()], list),
  };
  if (list.faults.length > 0) {
    return (
      <Frame title={say('Einheiten', 'Units')}>
        <LinkRefused faults={list.faults} />
      </Frame>
    );
  }
  return (
    <KeptPage
      title={say('Einheiten', 'Units')}
      about={about}
      lead={say(
        'Jede Anlage des Registers, gefiltert nach allem, was es über sie weiß.',
        'Every unit of the register, filtered by everything that it knows about it.',
      )}
      described={[described, list.own.size > 0 ? OWN_PORTFOLIO : null].filter(Boolean).join(', ')}
      watchables={[watchable]}
      canBeKept={catalogue !== null}
      isLasting={list.eventId === null && list.savedFilterId === null}
    >
      <div class="units-page">
        {!isShared && <FilterPanel {...{ list, filters, nameOf }} savedFilters={savedFilters.filter(isFilter)} />}
        <div class="units-list">
          <div class="list-tools">
            <Chips list={list} filters={filters} nameOf={nameOf} savedFilters={savedFilters} />
            {operator !== null && <a href={at('netz', { netzbetreiber: operator })}>{say('Sein Netz', 'Its grid')}</a>}
            {onMap !== null && <a href={at('karte', onMap)}>{say('Auf der Karte', 'On the map')}</a>}
            {catalogue !== null && !isShared && <ColumnPicker list={list} catalogue={catalogue} />}
          </div>
          <Figure
            title={title}
            unit={
              total === undefined
                ? say('Eine Zeile je Einheit', 'One unit a row')
                : say(`${unitCount(total)}, eine Zeile je Einheit`, `${unitCount(total)}, one unit a row`)
            }
            loaded={loaded as typeof listed}
            requests={[{ ...request, query: { ...request.query, limit: me.limits.maxPageSize } }]}
            paged
            plain
            shows={say('die Anlagen als Liste', 'the units as a list')}
            height={640}
            table={(answer) => tableOf(answer.data)}
            empty={({ data, meta }) =>
              data.length === 0 ? (
                <>
                  <span>
                    {say('Keine Einheit erfüllt alle diese Bedingungen.', 'No unit meets all these conditions.')}
                  </span>
                  <HintLines hints={meta.hinweise ?? []} catalogue={catalogue} />
                </>
              ) : null
            }
            {...(isShared
              ? {}
              : {
                  download:
                    total === undefined || total === 0 ? null : (
                      <ListDownload {...{ title, request, total, tableOf, filter: allWords }} />
                    ),
                })}
          >
            {({ data, meta }) =>
              catalogue !== null && (
                <>
                  <p class="note hints">
                    <HintLines hints={meta.hinweise ?? []} catalogue={catalogue} />
                  </p>
                  <UnitTable
                    caption={title}
                    rows={data}
                    page={`${JSON.stringify(criteria)} ${cursor}`}
                    onSort={(next) => change({ sort: next === null ? null : `${next.field}:${next.direction}` })}
                    {...{ fields, sort, catalogue, signals }}
                  />
                  <Paging list={list} page={meta.page} rows={rowsOfPage} />
                </>
              )
            }
          </Figure>
          {listed.state === 'failed' && cursor !== null && (
            <p class="actions">
              <button type="button" onClick={() => change({ cursor: null, seite: null })}>
                {say('Zum Anfang der Liste', 'To the beginning of the list')}
              </button>
            </p>
          )}
        </div>
      </div>
    </KeptPage>
  );
}
