import { useNavigation } from '../address/address.ts';
import { carrierColor, carrierName } from '../charts/carriers.ts';
import { day } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { power } from '../format/numbers.ts';
import { Figure } from '../frame/figure.tsx';
import type { Place } from '../regions/place.ts';
import type { Unit, UnitList } from '../v1/answers.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { largeFrom, newestFilters, newestRequest } from './requests.ts';

const SHOWN = 8;

/** The large units that were commissioned last. */
export function NewestUnits({ place: { region, name, own = false } }: { place: Place }) {
  const { at } = useNavigation();
  const request = newestRequest(region, SHOWN, own);
  const loaded = useAnswer<UnitList>(request);
  const least = power(largeFrom(region));
  return (
    <Figure
      title={say(`Neueste große Anlagen: ${name}`, `Newest large units: ${name}`)}
      unit={say(
        `In Betrieb, ab ${least} brutto, nach Inbetriebnahme`,
        `In operation, from ${least} gross, by commissioning`,
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('die neuesten großen Anlagen', 'the newest large units')}
      table={({ data }) => ({
        columns: [
          { name: say('MaStR-Nummer', 'MaStR number') },
          { name: 'Name' },
          { name: say('Energieträger', 'Carrier') },
          { name: say('Inbetriebnahme', 'Commissioned') },
          { name: say('Leistung', 'Power'), unit: 'kW', numeric: true },
          { name: 'PLZ' },
          { name: say('Ort', 'Town') },
          { name: say('Bundesland', 'State') },
        ],
        rows: data.map((unit) => [
          unit.mastrNummer,
          unit.name,
          carrierName(unit.einheitTyp),
          day(unit.inbetriebnahmedatum),
          unit.bruttoleistungKw,
          unit.plz,
          unit.ort,
          unit.bundesland,
        ]),
      })}
      empty={({ data }) =>
        data.length === 0
          ? say(`Hier ist keine Anlage ab ${least} in Betrieb.`, `No unit from ${least} is in operation here.`)
          : null
      }
      more={{ href: at('einheiten', newestFilters(region, own)), name: say('Einheiten', 'Units') }}
      plain
    >
      {({ data }) => (
        <ol class="newest">
          {data.map((unit) => (
            <li key={unit.mastrNummer}>
              <i class="swatch" style={{ background: carrierColor(unit.einheitTyp) }} />
              <div>
                <a href={at(`einheiten/${unit.mastrNummer}`)}>
                  <bdi>{unit.name ?? unit.mastrNummer}</bdi>
                </a>
                <small>
                  {carrierName(unit.einheitTyp)}, <bdi>{placeOf(unit)}</bdi>
                </small>
              </div>
              <div class="number">
                <b>{power(unit.bruttoleistungKw)}</b>
                <small>{day(unit.inbetriebnahmedatum)}</small>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Figure>
  );
}

const placeOf = ({ plz, ort, bundesland }: Unit): string =>
  [ort ?? plz, bundesland].filter((part) => part !== null).join(', ') || say('ohne Ort', 'no town');
