import { useNavigation } from '../../address/address.ts';
import { decimal } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { UnitProps } from './unit-props.ts';

/** Where the unit stands. */
export function Place({ unit, request }: UnitProps) {
  const { at } = useNavigation();
  const { latitude, longitude } = unit;
  const place = typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null;
  return (
    <Figure
      title="Standort"
      unit="Koordinaten in WGS 84"
      loaded={{ state: 'ready', value: place }}
      requests={[request]}
      height={60}
      shows="den Standort"
      table={(where) => ({
        columns: [
          { name: 'Breite', unit: '°', numeric: true, digits: 6 },
          { name: 'Länge', unit: '°', numeric: true, digits: 6 },
        ],
        rows: where === null ? [] : [[where.latitude, where.longitude]],
      })}
      empty={(where) =>
        where === null
          ? 'Das Register nennt keine Koordinaten. Unter 30 kW gibt es sie aus Gründen des Datenschutzes nie.'
          : null
      }
      plain
    >
      {(where) =>
        where !== null && (
          <p>
            {decimal(where.latitude, 6)}° N, {decimal(where.longitude, 6)}° O{' '}
            <a href={at('karte', { einheit: unit.mastrNummer })}>Auf der Karte zeigen</a>
          </p>
        )
      }
    </Figure>
  );
}
