import { useMemo, useState } from 'preact/hooks';
import { chosenCarriers } from '../../charts/carriers.ts';
import { usePageFilters } from '../../filters/page-filters.ts';
import { say } from '../../format/language.ts';
import { LinkRefused } from '../../frame/link-refused.tsx';
import { Page as Frame } from '../../frame/page.tsx';
import { useDayOfRegister } from '../../frame/source.ts';
import { Failed, Waiting } from '../../frame/state.tsx';
import { ownPart, placeCriteria } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import type { MapLevel } from '../../map/level.ts';
import { useBoundaries } from '../../map/use-boundaries.ts';
import { useRegionName } from '../../regions/use-region-name.ts';
import { criteriaOf } from '../../units/criteria.ts';
import { titleParts } from '../../units/describe.ts';
import { OWN_PORTFOLIO } from '../../units/own-switch.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import { useValueNames } from '../../units/value-names.ts';
import { useVisit } from '../../v1/use-answer.ts';
import { CHOICES, useMapChoices } from './map-choices.ts';
import { MEASURE, MEASURES } from './measures.ts';
import { PlacedMap } from './placed-map.tsx';

export { CHOICES };

/** The filters are those of the catalogue, which the page reads where the link has one. */
export const FURTHER = true;

const TITLE = say('Karte', 'Map');

const LEAD = say(
  'Wo Anlagen stehen, gebaut werden und geplant sind.',
  'Where units stand, are being built and planned.',
);

/** The map chooses carriers and places by itself. */
const CHOSEN_ELSEWHERE: readonly string[] = ['einheitTyp', 'bundesland', 'landkreis', 'gemeinde'];

const STATES: readonly MapLevel[] = ['bundesland'];

export function Page() {
  const { isShared } = useVisit();
  const loaded = useBoundaries(STATES);
  const asOf = useDayOfRegister();
  const [{ region: place, traeger, wert, portfolio, eventId }] = useMapChoices();
  const [isChoosing, choose] = useState(false);
  const filters = usePageFilters(CHOICES, CHOSEN_ELSEWHERE, isChoosing);
  const nameOf = useValueNames(filters.values, useSignalTexts(filters.values.has('signals')));
  const words = useMemo(() => titleParts(filters.filters, filters.values, nameOf), [filters, nameOf]);
  const name = useRegionName(place);
  if (filters.faults.length > 0) {
    return (
      <Frame title={TITLE}>
        <LinkRefused faults={filters.faults} />
      </Frame>
    );
  }
  const isOwn = portfolio || filters.own.size > 0;
  const units = [place === null ? null : name, chosenCarriers(traeger), ...words];
  const about = [
    place === null ? null : name,
    wert === MEASURES[0] ? null : MEASURE[wert].name,
    ...units.slice(1),
    isOwn ? OWN_PORTFOLIO : null,
  ];
  const watchable = {
    name: units.filter((part) => part !== null).join(', ') || null,
    criteria: { ...criteriaOf(filters.values, filters.filters), ...placeCriteria(place, traeger) },
    savedFilterId: null,
    ...ownPart([...filters.own.keys(), ...(portfolio ? ['portfolio'] : [])], { eventId: eventId || null }),
  };
  return (
    <KeptPage
      title={TITLE}
      about={about}
      watchables={[watchable]}
      canBeKept={filters.waiting === null}
      isLasting={eventId === ''}
      lead={
        isShared
          ? LEAD
          : `${LEAD} ${say('Ein Klick auf ein Gebiet öffnet seine Seite.', 'A click on an area opens its page.')}`
      }
    >
      {loaded.state === 'ready' ? (
        <PlacedMap
          states={entry(loaded.value, 'bundesland')}
          {...{ filters, nameOf, words, isChoosing, asOf }}
          onChoosing={choose}
        />
      ) : loaded.state === 'failed' ? (
        <Failed problem={loaded.problem} retry={loaded.retry} shows={say('die Karte', 'the map')} />
      ) : (
        <Waiting loaded={loaded} height={560} />
      )}
    </KeptPage>
  );
}

function entry<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There are no boundaries of ${key}`);
  return value;
}
