import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { keysOf, type Level, type Located, placesOf } from '../support/places.ts';
import type { RecountedUnit } from './recount.ts';
import { momentaufnahme, type Question, selected, zeitreihe } from './regions.ts';

/** A second way to figures by inhabitants and area: the official list, and units put into its places one by one. */

const rowsOf = (name: string): Record<string, string>[] =>
  parse(readFileSync(new URL(`../../data/reference/places/${name}`, import.meta.url), 'utf8'), { columns: true });

const list = rowsOf('gemeinden.csv').filter(({ ags }) => ags!.length === 8);
const listed = new Set(list.map(({ ags }) => ags!));
const former = new Map(rowsOf('former-keys.csv').map((row) => [row.old_ags!, row.current_ags!]));
const districts = new Set(rowsOf('gemeinden.csv').flatMap(({ ags }) => (ags!.length === 5 ? ags! : [])));

/** The names of the states by the first digits of their keys, from units that have both. */
const statesOf = (units: readonly RecountedUnit[]): Map<string, string> =>
  new Map(
    units.flatMap(({ fields: { bundesland, gemeindeschluessel } }) =>
      bundesland === null || gemeindeschluessel === null
        ? []
        : [[String(bundesland), String(gemeindeschluessel).slice(0, 2)] as const],
    ),
  );

/** Inhabitants and hectares of all places whose key begins so: the country, a state, a district, a municipality. */
const totals = new Map<string, { einwohner: number; hectares: number }>();
for (const { ags = '', einwohner, flaecheKm2 } of list) {
  for (const key of [0, 2, 5, 8].map((digits) => ags.slice(0, digits))) {
    const sum = totals.get(key) ?? { einwohner: 0, hectares: 0 };
    sum.einwohner += Number(einwohner);
    sum.hectares += Math.round(Number(flaecheKm2) * 100);
    totals.set(key, sum);
  }
}

function divisors(keys: readonly string[]) {
  const those = keys.map((key) => totals.get(key)!);
  const hectares = those.reduce((sum, place) => sum + place.hectares, 0);
  return { einwohner: those.reduce((sum, place) => sum + place.einwohner, 0), flaecheKm2: hectares / 100 };
}

const current = (key: string): string | null =>
  listed.has(key) ? key : listed.has(former.get(key) ?? '') ? former.get(key)! : null;

/**
 * @param units all units, which say where places lie
 * @param counted those that figures count
 */
export function perPlaceOf(units: readonly RecountedUnit[], counted = units) {
  const locatedOf = ({ fields }: RecountedUnit) => fields as unknown as Located;
  const located = units.map(locatedOf);
  const keys = { landkreis: keysOf(located, 'landkreis'), gemeinde: keysOf(located, 'gemeinde') };
  const ort = new Map(located.map((unit) => [unit, current(keys.gemeinde(unit) ?? '')]));
  const lying = new Map<string, Set<string>>();
  for (const unit of located) {
    const own = current(unit.gemeindeschluessel ?? '');
    const key = keys.landkreis(unit);
    if (own !== null && key !== null) lying.set(key, (lying.get(key) ?? new Set()).add(own.slice(0, 5)));
  }
  /** The place of the list that a place of the register is. */
  const today = (key: string | null, level: Level): string | null => {
    if (key === null || level === 'gemeinde') return current(key ?? '');
    if (districts.has(key)) return key;
    const [only, ...others] = lying.get(key) ?? [];
    return others.length === 0 ? (only ?? null) : null;
  };
  /** The place of the list in which a unit lies; a district is that of its municipality, else its own. */
  const liesIn = (unit: RecountedUnit, level: Level): string | null => {
    const municipality = ort.get(locatedOf(unit)) ?? null;
    if (level === 'gemeinde' || municipality !== null)
      return municipality?.slice(0, level === 'gemeinde' ? 8 : 5) ?? null;
    return today(keys.landkreis(locatedOf(unit)), 'landkreis');
  };
  const states = statesOf(units);
  const inPlaces = (orte: readonly string[], level: Level) =>
    counted.filter((unit) => orte.includes(liesIn(unit, level) ?? ''));

  /** The places of the list that a region is, and the units in them; null: none. */
  function placesOfRegion(question: Question): { orte: readonly string[]; units: readonly RecountedUnit[] } | null {
    const { ebene, region = '' } = question;
    if (ebene === 'plz') return null;
    if (ebene === undefined) return { orte: [''], units: counted };
    const inRegion = selected(units, { ebene, region });
    if (ebene === 'bundesland') {
      const key = states.get(region);
      return key === undefined ? null : { orte: [key], units: selected(counted, { ebene, region }) };
    }
    const orte = [...new Set(inRegion.flatMap((unit) => today(keys[ebene](locatedOf(unit)), ebene) ?? []))].sort();
    return orte.length === 0 ? null : { orte, units: inPlaces(orte, ebene) };
  }

  return {
    /** Adds the members to the rows of a time series. */
    zeitreihe(question: Question) {
      const places = placesOfRegion(question);
      const { ebene: _, region: __, ...others } = question;
      const rows = zeitreihe(counted, question);
      const ofPlaces = new Map(
        (places === null ? [] : zeitreihe(places.units, others)).map((row) => [rowOf(row), row]),
      );
      return rows.map((row) => {
        const figures = ofPlaces.get(rowOf(row));
        const members = (['zubau', 'abbau', 'pipeline'] as const).flatMap((series) =>
          Object.entries(
            ratios(figures?.[`${series}Anzahl`] ?? 0, figures?.[`${series}Mw`] ?? 0, places?.orte ?? null),
          ).map(([name, value]) => [`${series}${name[0]!.toUpperCase()}${name.slice(1)}`, value] as const),
        );
        return { ...row, ...Object.fromEntries(members) };
      });
    },

    /** Adds the members to key figures. */
    momentaufnahme(question: Question, day: string, von: string) {
      const places = placesOfRegion(question);
      const { ebene: _, region: __, ...others } = question;
      const whole = momentaufnahme(counted, question, day, von);
      const ofPlaces = places === null ? null : momentaufnahme(places.units, others, day, von);
      const members = (name: 'abbau90Tage' | 'pipeline' | 'zubau90Tage') =>
        ratios(ofPlaces?.[name].anzahl ?? 0, ofPlaces?.[name].mw ?? 0, places?.orte ?? null);
      return {
        ...whole,
        ...(places === null ? { einwohner: null, flaecheKm2: null } : divisors(places.orte)),
        zubau90Tage: { ...whole.zubau90Tage, ...members('zubau90Tage') },
        abbau90Tage: { ...whole.abbau90Tage, ...members('abbau90Tage') },
        pipeline: { ...whole.pipeline, ...members('pipeline') },
      };
    },

    /** The members of each group of districts or of municipalities, by its key. */
    groups(level: Level) {
      const inOrt = Map.groupBy(counted, (unit) => liesIn(unit, level));
      return new Map(
        placesOf(located, level).map(({ wert, schluessel }) => {
          const key = today(schluessel, level);
          const those = key === null ? [] : (inOrt.get(key) ?? []);
          const megawatts =
            those.reduce((sum, { fields }) => sum + Math.round(Number(fields.bruttoleistungKw ?? 0) * 1000), 0) / 1e6;
          return [
            wert,
            {
              ...(key === null ? NOWHERE : divisors([key])),
              ...ratios(those.length, megawatts, key === null ? null : [key]),
            },
          ];
        }),
      );
    },

    /** Units that are in the figures of no group: their place is none of the list, or no group is it. */
    withoutPlace(level: Level) {
      const shown = new Set(placesOf(counted.map(locatedOf), level).map(({ schluessel }) => today(schluessel, level)));
      return counted.filter((unit) => !shown.has(liesIn(unit, level)) || liesIn(unit, level) === null).length;
    },
  };
}

const rowOf = ({ periode, energietraeger, registerEnergietraeger = '' }: Record<string, unknown>): string =>
  `${periode} ${energietraeger} ${registerEnergietraeger}`;

const NOWHERE = { einwohner: null, flaecheKm2: null };

const six = (value: number): number | null => (Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : null);

function ratios(units: number, megawatts: number, orte: readonly string[] | null) {
  const { einwohner, flaecheKm2 } = orte === null ? { einwohner: Number.NaN, flaecheKm2: Number.NaN } : divisors(orte);
  const watts = Math.round(megawatts * 1e6);
  return {
    anzahlJe1000Einwohner: six((units * 1000) / einwohner),
    kwJe1000Einwohner: six(((watts / 1000) * 1000) / einwohner),
    anzahlJeKm2: six(units / flaecheKm2),
    kwJeKm2: six(watts / 1000 / flaecheKm2),
  };
}
