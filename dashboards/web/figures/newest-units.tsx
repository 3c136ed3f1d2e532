import { useNavigation } from '../address/address.ts';
import { carrierColor, carrierName } from '../charts/carriers.ts';
import { day } from '../format/dates.ts';
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
      title={`Neueste große Anlagen: ${name}`}
      unit={`In Betrieb, ab ${least} brutto, nach Inbetriebnahme`}
      loaded={loaded}
      requests={[request]}
      shows="die neuesten großen Anlagen"
      table={({ data }) => ({
        columns: [
          { name: 'MaStR-Nummer' },
          { name: 'Name' },
          { name: 'Energieträger' },
          { name: 'Inbetriebnahme' },
          { name: 'Leistung', unit: 'kW', numeric: true },
          { name: 'PLZ' },
          { name: 'Ort' },
          { name: 'Bundesland' },
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
      empty={({ data }) => (data.length === 0 ? `Hier ist keine Anlage ab ${least} in Betrieb.` : null)}
      more={{ href: at('einheiten', newestFilters(region, own)), name: 'Einheiten' }}
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
  [ort ?? plz, bundesland].filter((part) => part !== null).join(', ') || 'ohne Ort';
