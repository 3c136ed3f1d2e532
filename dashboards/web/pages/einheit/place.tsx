import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { carrierColor, kindName } from '../../charts/carriers.ts';
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
      title={`Standort: ${name}`}
      unit={place === undefined ? 'Koordinaten in WGS 84' : written(place)}
      loaded={{ state: 'ready', value: places }}
      requests={[request]}
      shows="den Standort"
      height={60}
      {...(place === undefined ? {} : { attribution: BOUNDARIES_ATTRIBUTION })}
      table={(all) => ({
        columns: [
          { name: 'Breite', unit: '°', numeric: true, digits: 6 },
          { name: 'Länge', unit: '°', numeric: true, digits: 6 },
        ],
        rows: all.map((one) => [one.latitude, one.longitude]),
      })}
      empty={(all) =>
        all.length === 0 ? 'Das Register nennt keine Koordinaten; unter 30 kW gibt es sie nie heraus.' : null
      }
      {...(isOnMap && {
        note: (
          <a href={at('karte', { einheit: mastrNummer })}>
            {place === undefined ? 'Den Landkreis auf der Karte zeigen' : 'Auf der großen Karte zeigen'}
          </a>
        ),
      })}
    >
      {(all) => <PlaceMap label={`Karte: Standort von ${name}`} places={all} />}
    </Figure>
  );
}

const written = ({ latitude, longitude }: MapPlace): string =>
  `${decimal(latitude, 6)}°\u202fN, ${decimal(longitude, 6)}°\u202fO (WGS 84)`;
