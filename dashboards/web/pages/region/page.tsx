import { someOf, text, useChoices, useNavigation } from '../../address/address.ts';
import { PAGE_NAMES } from '../../address/page-names.ts';
import { CARRIERS } from '../../charts/carriers.ts';
import { Age } from '../../figures/age.tsx';
import { Growth } from '../../figures/growth.tsx';
import { NewestUnits } from '../../figures/newest-units.tsx';
import { SnapshotCards } from '../../figures/snapshot.tsx';
import { Stock } from '../../figures/stock.tsx';
import { useSpan } from '../../figures/use-span.ts';
import { say } from '../../format/language.ts';
import { placeWatchable } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { ComparedPlaces, eachOnce } from '../../regions/compared-places.tsx';
import { isOnMap } from '../../regions/hits.ts';
import { places, placesText, region, regionText } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import { useRegionNames } from '../../regions/use-region-name.ts';
import { Comparison } from './comparison.tsx';
import { SoughtPlace } from './sought-place.tsx';
import { States } from './states.tsx';

const MOST_COMPARED = 3;
export const CHOICES = { region, ort: text, vergleich: places(MOST_COMPARED), traeger: someOf(CARRIERS) };

export function Page() {
  const [{ region: chosen, ort, vergleich, traeger }, change] = useChoices(CHOICES);
  const { at } = useNavigation();
  const span = useSpan();
  const own = chosen === null ? null : regionText(chosen);
  const others = eachOnce(vergleich).filter((other) => other !== null && regionText(other) !== own);
  const [name = '', ...otherNames] = useRegionNames([chosen, ...others]);
  const place = { region: chosen, name };
  const compared = others.map((other, index) => ({ region: other, name: otherNames[index] ?? '' }));
  const watched = chosen === null && compared.length > 0 ? compared : [place, ...compared];
  const country = { region: null, name: say('Deutschland', 'Germany') };
  return (
    <KeptPage
      title={chosen === null ? 'Region' : name}
      described={['Region', ...watched.map((one) => one.name)].join(', ')}
      watchables={watched.map((one) => placeWatchable(one.region, one.name))}
      lead={
        chosen === null ? (
          say(
            'Ein Bundesland, ein Kreis, eine Gemeinde oder ein Gebiet von Postleitzahlen, verglichen mit anderen und mit Deutschland.',
            'A state, a district, a municipality or an area of postal codes, compared with others and with Germany.',
          )
        ) : (
          <>
            {say(
              'Was hier in Betrieb ist, dazukommt und geplant ist, verglichen mit anderen Orten und mit Deutschland.',
              'What is in operation here, is added and is planned, compared with other places and with Germany.',
            )}{' '}
            {isOnMap(chosen) && <a href={at('karte', { region: own })}>{say('Auf der Karte', 'On the map')}</a>}{' '}
            <a href={at('vergleich', { orte: placesText([chosen, ...others, null]) })}>
              {say('Über Jahre vergleichen', 'Compare over years')}
            </a>{' '}
            <a href={at('aenderungen', { region: own })}>{PAGE_NAMES.aenderungen}</a>
          </>
        )
      }
    >
      {ort !== '' && <SoughtPlace typed={ort} onFound={(found) => change({ region: found, ort: '' }, true)} />}
      <div class="choices">
        <RegionPicker label="Region" value={chosen} onChange={(next) => change({ region: next })} />
        <ComparedPlaces
          label={say('Vergleichen mit', 'Compare with')}
          places={compared}
          most={MOST_COMPARED}
          before={1}
          isCountryOffered={false}
          onAdd={(next) => change({ vergleich: [...others, next] })}
          onChange={(next) => change({ vergleich: next })}
        />
      </div>
      {chosen === null && compared.length === 0 ? (
        <States />
      ) : (
        <>
          {chosen !== null && <SnapshotCards place={place} span={span} />}
          <Comparison places={[...(chosen === null ? [] : [place]), ...compared, country]} span={span} />
          {chosen !== null && (
            <div class="tiles">
              <Growth place={place} span={span} carriers={traeger} onCarriers={(next) => change({ traeger: next })} />
              <Stock place={place} />
              <Age place={place} />
              <NewestUnits place={place} />
            </div>
          )}
        </>
      )}
    </KeptPage>
  );
}
