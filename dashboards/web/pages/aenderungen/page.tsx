import { useState } from 'preact/hooks';
import { dayOf, oneOf, ownFlag, pageNumber, someOf, text, useChoices } from '../../address/address.ts';
import { PAGE_NAMES } from '../../address/page-names.ts';
import { CARRIERS } from '../../charts/carriers.ts';
import { Chips } from '../../filters/chips.tsx';
import { FilterPanel } from '../../filters/filter-panel.tsx';
import { usePageFilters } from '../../filters/page-filters.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { LinkRefused } from '../../frame/link-refused.tsx';
import { Page as Frame } from '../../frame/page.tsx';
import { useDayOfRegister } from '../../frame/source.ts';
import { Empty, Failed, Waiting } from '../../frame/state.tsx';
import { ownPart, placeCriteria } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { FIRST_YEAR, LAST_YEAR } from '../../periods/periods.ts';
import { LEVELS, region } from '../../regions/region.ts';
import { useRegionName } from '../../regions/use-region-name.ts';
import { MEASURES } from '../../sums/causes.ts';
import { SumFigure } from '../../sums/sum-figure.tsx';
import { criteriaOf } from '../../units/criteria.ts';
import { isChosen, titleParts } from '../../units/describe.ts';
import { FREE_TEXT } from '../../units/filters.ts';
import { OWN_PORTFOLIO } from '../../units/own-switch.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { useValueNames } from '../../units/value-names.ts';
import type { ChangeFeed } from '../../v1/history-answers.ts';
import { shown } from '../../v1/loaded.ts';
import { type ApiRequest, listItems, listText, type Query } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { ChoiceBar } from './choice-bar.tsx';
import { FeedFigure, KINDS } from './feed-figure.tsx';
import { spanFaults, spanOf } from './span.ts';

const anyDay = dayOf(FIRST_YEAR, LAST_YEAR);

export const CHOICES = {
  region,
  von: anyDay,
  bis: anyDay,
  wert: oneOf(MEASURES),
  portfolio: ownFlag,
  portfolioRelationType: text,
  portfolioExternalRef: text,
  portfolioCustomField: text,
  feld: text,
  art: someOf(KINDS),
  cursor: text,
  seite: pageNumber,
};

/** The filters are those of the catalogue, which the page reads itself. */
export const FURTHER = true;

/** The place is chosen beside them, and words find units as they are today alone. */
const CHOSEN_ELSEWHERE: readonly string[] = [...LEVELS, FREE_TEXT];

const FIRST_PAGE = { cursor: null, seite: null } as const;
const OPERATOR = 'betreiber';
const TITLE = PAGE_NAMES.aenderungen;

/** What changed between two days: how the sum moved, and each change. */
export function Page() {
  const [choices, change] = useChoices(CHOICES);
  const { region: place, wert, portfolio, feld, art, cursor, seite } = choices;
  const choose = (next: Partial<typeof choices>): void => change({ ...next, cursor: '', seite: 1 });
  const [isChoosing, setChoosing] = useState(false);
  const asked = usePageFilters(CHOICES, CHOSEN_ELSEWHERE, true);
  const filters = {
    ...asked,
    change: (next: Parameters<typeof asked.change>[0]) => asked.change({ ...next, ...FIRST_PAGE }),
  };
  const loadedCatalogue = useCatalogue();
  const catalogue = shown(loadedCatalogue);
  const nameOf = useValueNames(filters.values, useSignalTexts(filters.values.has('signals')));
  const placeName = useRegionName(place);
  const words = titleParts(filters.filters, filters.values, nameOf);
  const isOwn = portfolio || filters.own.size > 0;

  // Of the newest day nothing has changed yet: what this answers is the day of the first state.
  const newest = useDayOfRegister();
  const probe = useAnswer<ChangeFeed>(
    newest === null ? null : { path: '/v1/aenderungen', query: { von: newest, limit: 1 } },
  );
  const first = shown(probe)?.meta.bekanntAb ?? null;
  const days = first === null || newest === null ? null : { first, newest, ...spanOf(choices, first, newest) };
  const dayFaults = days === null ? [] : spanFaults(choices, days.first, days.newest);
  const faults = [...filters.faults, ...dayFaults];
  if (faults.length > 0) {
    return (
      <Frame title={TITLE}>
        <LinkRefused faults={faults} />
      </Frame>
    );
  }

  const query: Query = {
    ...filters.query,
    ...(place === null ? {} : { [place.level]: place.level === 'bundesland' ? [place.value] : place.value }),
    ...(portfolio ? { portfolio } : {}),
    von: days?.von ?? choices.von,
    bis: days === null ? choices.bis : days.bis === newest ? null : days.bis,
  };
  const name = [placeName, ...words, isOwn ? OWN_PORTFOLIO : null].filter((part) => part !== null).join(', ');
  const operator = listItems(filters.values.get(OPERATOR) ?? '').join(', ');
  const number = filters.filters.filter((filter) => isChosen(filter, filters.values)).length;
  // Who may not read changes may read sums: without the day of the first state they begin with it.
  const isKnown = probe.state !== 'failed';
  const before = [loadedCatalogue, filters.waiting, isKnown ? probe : null].find(
    (one) => one !== null && one.state !== 'ready',
  );
  return (
    <KeptPage
      title={TITLE}
      about={[
        place === null ? null : placeName,
        ...words,
        isOwn ? OWN_PORTFOLIO : null,
        choices.von === null && choices.bis === null ? null : `${day(days?.von ?? null)} – ${day(days?.bis ?? null)}`,
      ]}
      watchables={[
        {
          name: [place === null ? null : placeName, ...words].filter((part) => part !== null).join(', ') || null,
          criteria: { ...criteriaOf(filters.values, filters.filters), ...placeCriteria(place, CARRIERS) },
          savedFilterId: null,
          ...ownPart([...filters.own.keys(), ...(portfolio ? ['portfolio'] : [])]),
        },
      ]}
      canBeKept={filters.waiting === null}
      prefers={feld === '' ? null : 'FIELD_CHANGE'}
      changed={listItems(feld)}
      lead={say(
        'Wie sich eine Summe von einem Stand des Registers zum anderen bewegt hat, warum, und jede Änderung dahinter.',
        'How a sum moved from one state of the register to another, why, and each change behind it.',
      )}
    >
      <ChoiceBar
        choices={choices}
        onChange={choose}
        days={days}
        operator={operator}
        onOperator={(chosen) => filters.change({ [OPERATOR]: chosen === '' ? null : listText([chosen]) })}
      />
      <div class="list-tools">
        <button type="button" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          {isChoosing
            ? say('Filter schließen', 'Close filters')
            : `${say('Filter', 'Filters')}${number === 0 ? '' : ` (${number})`}`}
        </button>
        <Chips list={filters} filters={filters.filters} nameOf={nameOf} savedFilters={[]} />
      </div>
      <div class={isChoosing ? 'units-page' : undefined}>
        {isChoosing && (
          <FilterPanel list={filters} filters={filters.filters} nameOf={nameOf} savedFilters={[]} filtersOnly />
        )}
        <div class="units-list">
          {before?.state === 'failed' ? (
            <Failed
              problem={before.problem}
              retry={before.retry}
              shows={say('was sich geändert hat', 'what changed')}
            />
          ) : before?.state === 'loading' ? (
            <Waiting loaded={before} height={400} />
          ) : isKnown && (days === null || days.first === days.newest) ? (
            <Empty height={160}>{onlyOne(days?.first ?? null)}</Empty>
          ) : (
            catalogue !== null && (
              <>
                <SumFigure request={{ path: '/v1/aenderungen/summe', query }} measure={wert} name={name} />
                <FeedFigure
                  request={{ path: '/v1/aenderungen', query } satisfies ApiRequest}
                  {...{ name, feld, art, catalogue }}
                  place={{
                    cursor: cursor || null,
                    page: seite,
                    change: (to) => change({ cursor: to.cursor ?? '', seite: Number(to.seite ?? 1) }),
                  }}
                  onChange={choose}
                />
              </>
            )
          )}
        </div>
      </div>
    </KeptPage>
  );
}

const onlyOne = (first: string | null): string =>
  first === null
    ? say(
        'Noch ist kein Stand bekannt, der sich vergleichen ließe: Der nächste bringt ihn.',
        'No state is known yet that could be compared: the next one brings it.',
      )
    : say(
        `Bekannt ist erst ein Stand, der vom ${day(first)}. Ab dem nächsten steht hier, was sich ändert.`,
        `Only one state is known, that of ${day(first)}. From the next one on, what changes stands here.`,
      );
