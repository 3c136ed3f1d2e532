import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, energy, plural, power, unitCount } from '../../format/numbers.ts';
import type { LegendEntry } from '../../frame/legend.tsx';
import type { Table } from '../../frame/table.ts';
import type { Area } from '../../map/boundaries.ts';
import { type Classes, classNames } from '../../map/classes.ts';
import type { PointLayerProps } from '../../map/point-layer.tsx';
import type { Description } from '../../map/tip.tsx';
import { around } from '../../map/view.ts';
import type { Group } from '../../v1/answers.ts';
import type { AreaData } from './load-areas.ts';
import { type Measure, UNITS } from './measures.ts';
import type { AreaValue, Elsewhere, Values } from './values.ts';

/** What a map says beside its colours: of an area, in its legend, its table and its notes. */

export interface Shown {
  readonly data: AreaData;
  readonly values: Values;
  readonly classes: Classes;
}

export const UNKNOWN = 'url(#map-unknown)';
export const NONE = 'var(--map-none)';
export const LESS = 'var(--map-less)';

/** Units of a name that several places have, without the key of one, lie in none of them. */
export const nameOf = ({ key, name, schluessel }: Group): string =>
  name != null && schluessel == null
    ? say(`${name} (ohne Schlüssel)`, `${name} (without a key)`)
    : (name ?? key ?? say('ohne Ortsangabe', 'without a place'));

const NO_UNIT = say('keine solche Anlage', 'no such unit');

const written = (value: number, { write, shortUnit }: Measure): string => `${write(value)}\u202f${shortUnit}`;

export function describeArea(area: Area, one: AreaValue | undefined, measure: Measure): Description {
  const title = area.label;
  if (one === undefined || one.state === 'unknown')
    return { title, lines: [one?.why ?? say('nicht geladen', 'not loaded')] };
  if (one.state === 'none') return { title, lines: [NO_UNIT] };
  const { count: units, bruttoleistungKw } = one.group;
  return {
    title,
    lines: [written(one.value, measure), `${unitCount(units)}, ${power(bruttoleistungKw)}`],
  };
}

export function legendOf(
  { classes, values }: Shown,
  measure: Measure,
  points: PointLayerProps | undefined,
): { entries: readonly LegendEntry[]; hatched?: string } {
  const all = [...values.valueByKey.values()];
  const states = new Set(all.map(({ state }) => state));
  const hasLess = all.some((one) => one.state === 'units' && one.value < 0);
  const hasNone = all.some((one) => one.state === 'none' || (one.state === 'units' && one.value === 0));
  const entry = (name: string, color: string): LegendEntry => ({ id: name, name, color, on: true });
  const entries = [
    ...(hasLess ? [entry(say('weniger als vorher', 'less than before'), LESS)] : []),
    ...(states.has('units') ? classNames(classes).map((name, index) => entry(name, classes.colorOf(index))) : []),
    ...(hasNone ? [entry(measure.kind === 'zuwachs' ? say('keine Änderung', 'no change') : NO_UNIT, NONE)] : []),
    ...new Map(
      points?.marks
        .filter(({ many }) => many === undefined)
        .map(({ kind, color }) => [kind, entry(say(`${kind} (Punkt)`, `${kind} (point)`), color)]),
    ).values(),
  ];
  return states.has('unknown') ? { entries, hatched: say('keine Angabe', 'not known') } : { entries };
}

const NOTHING: Group = {
  ...{ key: null, count: 0, bruttoleistungKw: 0, durchschnittsleistungKw: null },
  speicherkapazitaetKwh: 0,
};

export function tableOf({ values: { areas, valueByKey, elsewhere } }: Shown, measure: Measure): Table {
  const isOwn = measure.kind === 'zuwachs' || (measure.shortUnit !== 'MW' && measure.shortUnit !== UNITS);
  const row = (key: string | null, name: string, group: Group | null, value: number | null) => [
    key,
    name,
    group?.count ?? null,
    group === null ? null : group.bruttoleistungKw / 1000,
    group?.einwohner ?? null,
    group?.flaecheKm2 ?? null,
    ...(isOwn ? [value] : []),
  ];
  return {
    columns: [
      { name: say('Schlüssel', 'Key') },
      { name: say('Gebiet', 'Area') },
      { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
      { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 },
      { name: say('Einwohner', 'Inhabitants'), numeric: true, digits: 0 },
      { name: say('Fläche', 'Size'), unit: 'km²', numeric: true, digits: 2 },
      ...(isOwn ? [{ name: measure.name, unit: measure.shortUnit, numeric: true, digits: 5 }] : []),
    ],
    rows: [
      ...areas.map(({ key, label }) => {
        const one = valueByKey.get(key);
        if (one?.state === 'units') return row(key, label, one.group, one.value);
        return one?.state === 'none' ? row(key, label, NOTHING, 0) : row(key, label, null, null);
      }),
      ...elsewhere.map(({ group, value }) =>
        row(
          group.schluessel ?? null,
          `${nameOf(group)} ${say('(nicht auf der Karte)', '(not on the map)')}`,
          group,
          value,
        ),
      ),
    ],
  };
}

/** Says how much is on no map; the places stand beside it. */
export function aboutElsewhere(elsewhere: readonly Elsewhere[], { isEnergy }: Measure): string | null {
  if (elsewhere.length === 0) return null;
  const sum = (figure: (group: Group) => number): number =>
    elsewhere.reduce((total, { group }) => total + figure(group), 0);
  const units = sum((group) => group.count);
  const figure =
    isEnergy === true
      ? energy(sum((group) => group.speicherkapazitaetKwh ?? 0))
      : power(sum((group) => group.bruttoleistungKw));
  return say(
    `Nicht auf der Karte: ${unitCount(units)} mit ${figure}.`,
    `Not on the map: ${unitCount(units)} with ${figure}.`,
  );
}

/** Coordinates that lie elsewhere than the district of their unit are faults of the register. */
export function aboutOutside({ areas }: Values, points: PointLayerProps | undefined): string | null {
  const box = around(areas.map((area) => area.box));
  const outside = points?.marks.filter(
    ({ point: [x, y], many }) =>
      many === undefined && box !== null && (x < box.left || x > box.right || y < box.top || y > box.bottom),
  );
  if (outside === undefined || outside.length === 0) return null;
  return say(
    `${plural(outside.length, 'Punkt liegt', 'Punkte liegen')} nach den Koordinaten des Registers außerhalb des gezeigten Gebiets.`,
    `${plural(outside.length, 'point lies', 'points lie')} outside of what is shown by the coordinates of the register.`,
  );
}

/** Figures by inhabitants and area name their source. */
export function aboutInhabitants({ list, days }: AreaData, { isPerPlace }: Measure): string | null {
  if (list === null || isPerPlace !== true) return null;
  const { count: without } = list.ohneOrt;
  const gap =
    without === 0 || days.length > 0
      ? ''
      : say(
          ` ${plural(without, 'Einheit ist', 'Einheiten sind')} in keinem dieser Werte, weil kein Gebiet der Liste feststeht.`,
          ` ${plural(without, 'unit is', 'units are')} in none of these figures, since it is not known in which area of the list.`,
        );
  const always = days.length === 0 ? '' : say(' Sie gelten hier für alle Jahre.', ' They hold for all years here.');
  return say(
    `Einwohner am ${day(list.einwohnerAm)}, Gebiete vom ${day(list.gebietsstand)}: Statistisches Bundesamt, Gemeindeverzeichnis.${always}${gap}`,
    `Inhabitants on ${day(list.einwohnerAm)}, areas of ${day(list.gebietsstand)}: Statistisches Bundesamt, Gemeindeverzeichnis.${always}${gap}`,
  );
}

/** What stood somewhere is known by days alone. */
export const aboutStock = ({ days }: AreaData): string | null =>
  days.length === 0
    ? null
    : say(
        'Gezählt ist, was bis zu einem Tag in Betrieb ging und noch nicht endgültig stillgelegt war; Einheiten ohne Tag der Inbetriebnahme fehlen.',
        'Counted is what had been commissioned by a day and not decommissioned for good; units without a day of commissioning are left out.',
      );

/** A share of all units is everywhere all of it. */
export const aboutShare = ({ data, values }: Shown, { kind }: Measure): string | null =>
  kind === 'anteil' &&
  data.wholes !== null &&
  [...values.valueByKey.values()].every((one) => one.state !== 'units' || one.value === 100)
    ? say(
        'Ohne Filter sind es überall 100 %: Ein Filter sagt, wessen Anteil gezeigt wird.',
        'Without a filter it is 100% everywhere: a filter says whose share is shown.',
      )
    : null;

export function aboutBoundaries({ data, values }: Shown, isMunicipal: boolean): string {
  const borders = isMunicipal
    ? say(
        `Die Grenzen der Gemeinden sind vom ${day(data.boundaries.asOf)}.`,
        `The borders of municipalities are those of ${day(data.boundaries.asOf)}.`,
      )
    : say(
        `Die Grenzen sind vom ${day(data.boundaries.asOf)}, die der Kreise auf heutigem Stand.`,
        `The borders are those of ${day(data.boundaries.asOf)}, districts as they are today.`,
      );
  const unknown = [...values.valueByKey.values()].filter(({ state }) => state === 'unknown').length;
  if (data.isPartial) {
    return say(
      `${borders} Die Schnittstelle nennt höchstens tausend Gemeinden auf einmal: die mit den meisten Einheiten. ${count(unknown)} fehlen.`,
      `${borders} The interface names at most a thousand municipalities at once: those with the most units. ${count(unknown)} are missing.`,
    );
  }
  return isMunicipal && data.known !== null && unknown > 0
    ? say(
        `${borders} ${count(unknown)} davon kommen im Register nicht vor: Sie haben keine Einheit, oder es gibt sie nicht mehr.`,
        `${borders} ${count(unknown)} of them do not occur in the register: they have no unit, or are there no more.`,
      )
    : borders;
}
