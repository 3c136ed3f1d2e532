import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { carrierColor, kindName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { decimal } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { BOUNDARIES_ATTRIBUTION } from '../../map/attribution.ts';
import { type MapPlace, PlaceMap } from '../../map/place-map.tsx';
import type { UnitProps } from './unit-props.ts';

/** Shows where the unit stands, if the register says so. */
export function Place({ unit, request, name }: UnitProps) {
  const { at } = useNavigation();
  const { latitude, longitude, einheitTyp, energietraeger, kreisschluessel, mastrNummer } = unit;
  const places = useMemo((): readonly MapPlace[] => {
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return [];
    const carrier = String(einheitTyp);
    const look = { kind: kindName(carrier, energietraeger), color: carrierColor(carrier) };
    return [{ id: mastrNummer, title: name, latitude, longitude, ...look }];
  }, [mastrNummer, name, latitude, longitude, einheitTyp, energietraeger]);
  const [place] = places;
  const isOnMap = place !== undefined || typeof kreisschluessel === 'string';
  return (
    <Figure
      title={say(`Standort: ${name}`, `Site: ${name}`)}
      unit={place === undefined ? say('Koordinaten in WGS 84', 'Coordinates in WGS 84') : written(place)}
      loaded={{ state: 'ready', value: places }}
      requests={[request]}
      shows={say('den Standort', 'the site')}
      height={60}
      {...(place === undefined ? {} : { attribution: BOUNDARIES_ATTRIBUTION })}
      table={(all) => ({
        columns: [
          { name: say('Breite', 'Latitude'), unit: '°', numeric: true, digits: 6 },
          { name: say('Länge', 'Longitude'), unit: '°', numeric: true, digits: 6 },
        ],
        rows: all.map((one) => [one.latitude, one.longitude]),
      })}
      empty={(all) =>
        all.length === 0
          ? say(
              'Das Register nennt keine Koordinaten; unter 30 kW gibt es sie nie heraus.',
              'The register names no coordinates; below 30 kW it never does.',
            )
          : null
      }
      {...(isOnMap && {
        note: (
          <a href={at('karte', { einheit: mastrNummer })}>
            {place === undefined
              ? say('Den Landkreis auf der Karte zeigen', 'Show the district on the map')
              : say('Auf der großen Karte zeigen', 'Show on the large map')}
          </a>
        ),
      })}
    >
      {(all) => <PlaceMap label={say(`Karte: Standort von ${name}`, `Map: site of ${name}`)} places={all} />}
    </Figure>
  );
}

const written = ({ latitude, longitude }: MapPlace): string =>
  say(
    `${decimal(latitude, 6)}°\u202fN, ${decimal(longitude, 6)}°\u202fO (WGS 84)`,
    `${decimal(latitude, 6)}°\u202fN, ${decimal(longitude, 6)}°\u202fE (WGS 84)`,
  );
