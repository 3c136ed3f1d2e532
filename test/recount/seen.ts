import { readFileSync } from 'node:fs';
import { type KnownKey, knownKeys } from './keys.ts';
import { type Outside, outsides } from './outside.ts';
import type { Recount, RecountedUnit } from './recount.ts';
import { type Compared, comparisons } from './several.ts';

/** What the rules of plausibility look at, of units as they were recounted. */

/** A unit with its values as numbers; of one that is missing NaN, with which no comparison holds. */
export interface Seen extends Compared {
  readonly unit: RecountedUnit['fields'];
  readonly carrier: string;
  readonly status: number;
  readonly gross: number;
  readonly net: number;
  readonly modules: number;
  readonly hectares: number;
  readonly rotor: number;
  readonly hub: number;
  readonly energy: number;
  readonly hours: number;
  readonly lat: number;
  readonly lon: number;
  readonly commissioned: string | null;
  readonly ended: string | null;
  /** Ids of the register's catalogues. */
  readonly kind: number;
  readonly technology: number;
  readonly feedIn: number;
  /** Rotors and powers of the type of a turbine. */
  readonly type: readonly number[];
  readonly today: string;
  readonly key: KnownKey;
  /** Of a unit with coordinates. */
  readonly outside: Outside | null;
}

const TYPES = new Map(
  readFileSync(new URL('../../sql/catalogue/wind-type-bounds.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([type = '', ...bounds]) => [type, bounds.map(Number)] as const),
);

const numberOf = (value: unknown): number =>
  value === null || value === undefined || value === '' ? Number.NaN : Number(value);

/** What the rules look at, of each unit. @param today day of the export */
export function seenUnits(counted: Recount, today: string): Map<string, Seen> {
  const outsideOf = outsides();
  const comparedOf = comparisons(counted);
  const keyOf = knownKeys();
  return new Map(
    [...counted.units].map(([number, { fields: unit, statusId }]) => {
      const row = counted.raw.get(number) ?? {};
      const [lat, lon] = [numberOf(unit.latitude), numberOf(unit.longitude)];
      const seen: Seen = {
        ...comparedOf(number),
        unit,
        today,
        carrier: String(unit.einheitTyp),
        status: statusId ?? 0,
        gross: numberOf(unit.bruttoleistungKw),
        net: numberOf(unit.nettonennleistungKw),
        modules: numberOf(unit.solarAnzahlModule),
        hectares: numberOf(unit.solarFlaecheHa),
        rotor: numberOf(unit.windRotordurchmesserM),
        hub: numberOf(unit.windNabenhoeheM),
        energy: numberOf(unit.speicherkapazitaetKwh),
        hours: numberOf(unit.speicherdauerStunden),
        lat,
        lon,
        key: keyOf(unit.gemeindeschluessel),
        outside: Number.isNaN(lat) ? null : outsideOf(String(unit.gemeindeschluessel ?? ''), lon, lat),
        commissioned: unit.inbetriebnahmedatum as string | null,
        ended: unit.stilllegungsdatum as string | null,
        kind: numberOf(row.ArtDerSolaranlage ?? row.Lage),
        technology: numberOf(row.Technologie),
        feedIn: numberOf(row.Einspeisungsart),
        type: TYPES.get(String(unit.windTypenbezeichnung)) ?? [],
      };
      return [number, seen] as const;
    }),
  );
}
