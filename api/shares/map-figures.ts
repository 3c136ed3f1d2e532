import { aggregate } from '../aggregations/aggregate.ts';
import type { Call } from '../operation/operation.ts';
import { ask, type Query } from './ask.ts';
import { MAP_FILTERS, mapOf } from './map-requests.ts';
import { MOST_BARS, type Picture } from './picture.ts';
import { nameOf } from './places.ts';
import type { Area, Place } from './rules.ts';
import { carrierNames, dayIn, type Say } from './words.ts';

/** The figures of the map, computed as the page computes them (dashboards/web/pages/karte/measures.ts). */

interface Group {
  readonly key: string | null;
  readonly schluessel?: string | null;
  readonly count: number;
  readonly bruttoleistungKw: number;
  readonly speicherkapazitaetKwh?: number | null;
  readonly einwohner?: number | null;
  readonly flaecheKm2?: number | null;
  readonly anzahlJe1000Einwohner?: number | null;
  readonly kwJe1000Einwohner?: number | null;
  readonly kwhJe1000Einwohner?: number | null;
  readonly kwJeKm2?: number | null;
  readonly bestand?: {
    readonly anzahl: readonly number[];
    readonly bruttoleistungKw: readonly number[];
    readonly speicherkapazitaetKwh: readonly (number | null)[];
  };
}

/** The interface names no more groups at once; the largest of more are not known. */
const MOST_GROUPS = 1000;

type Words = readonly [german: string, english: string];

interface MapMeasure {
  readonly title: Words;
  readonly unit: Words;
  valueOf(group: Group, other: Group | null): number | null;
}

const megawatts = ({ bruttoleistungKw }: Group): number => bruttoleistungKw / 1000;
const units = ({ count }: Group): number => count;
const percent =
  (amount: (group: Group) => number): MapMeasure['valueOf'] =>
  (group, whole) =>
    whole === null || amount(whole) <= 0 ? null : (amount(group) / amount(whole)) * 100;
const change =
  (amount: (group: Group) => number): MapMeasure['valueOf'] =>
  (group, before) =>
    amount(group) - (before === null ? 0 : amount(before));
const relative =
  (amount: (group: Group) => number): MapMeasure['valueOf'] =>
  (group, before) =>
    before === null || amount(before) <= 0 ? null : (amount(group) / amount(before) - 1) * 100;

const PER_HEAD: Words = ['je 1.000 Einwohner', 'per 1,000 inhabitants'];
const MW: Words = ['MW brutto', 'MW gross'];
const UNITS: Words = ['Einheiten', 'units'];
const both = (one: Words, other: Words): Words => [`${one[0]} ${other[0]}`, `${one[1]} ${other[1]}`];
const power: Words = ['Leistung', 'Power'];
const added: Words = ['Zubau in zwölf Monaten', 'Added in twelve months'];
const energy: Words = ['Speicherkapazität', 'Energy of storage'];
const kwPerHead: Words = both(['kW brutto', 'kW gross'], PER_HEAD);
const powerChange: Words = ['Änderung der Leistung', 'Change of power'];
const numberChange: Words = ['Änderung der Anzahl', 'Change of number'];

const MEASURES: Readonly<Record<string, MapMeasure>> = {
  leistung: { title: power, unit: MW, valueOf: megawatts },
  dichte: {
    title: ['Leistung je Fläche', 'Power by area'],
    unit: ['MW brutto je km²', 'MW gross per km²'],
    valueOf: ({ kwJeKm2 }) => (kwJeKm2 == null ? null : kwJeKm2 / 1000),
  },
  leistungKopf: {
    title: both(power, PER_HEAD),
    unit: kwPerHead,
    valueOf: ({ kwJe1000Einwohner }) => kwJe1000Einwohner ?? null,
  },
  anzahl: { title: ['Anlagen', 'Units'], unit: UNITS, valueOf: units },
  anzahlFlaeche: {
    title: ['Anlagen je Fläche', 'Units by area'],
    unit: ['Einheiten je km²', 'units per km²'],
    valueOf: ({ anzahlJe1000Einwohner: perHead, einwohner, flaecheKm2 }) =>
      perHead == null || einwohner == null || !flaecheKm2 ? null : (perHead * einwohner) / 1000 / flaecheKm2,
  },
  anzahlKopf: {
    title: both(['Anlagen', 'Units'], PER_HEAD),
    unit: both(UNITS, PER_HEAD),
    valueOf: ({ anzahlJe1000Einwohner }) => anzahlJe1000Einwohner ?? null,
  },
  zubau: { title: added, unit: MW, valueOf: megawatts },
  zubauKopf: {
    title: both(added, PER_HEAD),
    unit: kwPerHead,
    valueOf: ({ kwJe1000Einwohner }) => kwJe1000Einwohner ?? null,
  },
  pipeline: { title: ['Geplante Leistung', 'Planned power'], unit: MW, valueOf: megawatts },
  speicher: {
    title: energy,
    unit: ['MWh nutzbare Kapazität der Speicher', 'MWh usable capacity of storage'],
    valueOf: ({ speicherkapazitaetKwh }) => (speicherkapazitaetKwh ?? 0) / 1000,
  },
  speicherKopf: {
    title: both(energy, PER_HEAD),
    unit: both(['kWh nutzbare Kapazität der Speicher', 'kWh usable capacity of storage'], PER_HEAD),
    valueOf: ({ kwhJe1000Einwohner }) => kwhJe1000Einwohner ?? null,
  },
  anteilLeistung: {
    title: ['Anteil an der Leistung', 'Share of power'],
    unit: ['% der Bruttoleistung', '% of gross power'],
    valueOf: percent(megawatts),
  },
  anteilAnzahl: {
    title: ['Anteil an der Anzahl', 'Share of number'],
    unit: ['% der Einheiten', '% of units'],
    valueOf: percent(units),
  },
  zuwachsLeistung: { title: powerChange, unit: MW, valueOf: change(megawatts) },
  zuwachsLeistungProzent: {
    title: powerChange,
    unit: ['% der Bruttoleistung am Anfang', '% of the gross power at the beginning'],
    valueOf: relative(megawatts),
  },
  zuwachsAnzahl: { title: numberChange, unit: UNITS, valueOf: change(units) },
  zuwachsAnzahlProzent: {
    title: numberChange,
    unit: ['% der Einheiten am Anfang', '% of the units at the beginning'],
    valueOf: relative(units),
  },
};

const LEVELS: Readonly<Record<string, Words>> = {
  bundesland: ['Bundesländern', 'state'],
  landkreis: ['Landkreisen und kreisfreien Städten', 'district'],
  gemeinde: ['Gemeinden', 'municipality'],
};

/** Groups at the end of a day; all that are one place of the list today count together by inhabitants and area. */
function groupsAt(groups: readonly Group[], at: number): readonly Group[] {
  const figures = groups.map((group): Group => {
    const { anzahl = [], bruttoleistungKw = [], speicherkapazitaetKwh = [] } = group.bestand ?? {};
    return {
      ...group,
      count: anzahl[at] ?? 0,
      bruttoleistungKw: bruttoleistungKw[at] ?? 0,
      speicherkapazitaetKwh: speicherkapazitaetKwh[at] ?? null,
    };
  });
  const idOf = ({ key, einwohner, flaecheKm2 }: Group) => (einwohner == null ? `${key}` : `${einwohner} ${flaecheKm2}`);
  const places = Map.groupBy(figures, idOf);
  return figures.map((group) => {
    const there = places.get(idOf(group)) ?? [group];
    const by = (amount: (one: Group) => number, divisor: number | null | undefined) =>
      divisor ? there.reduce((sum, one) => sum + amount(one), 0) / divisor : null;
    const { einwohner, flaecheKm2 } = group;
    return {
      ...group,
      anzahlJe1000Einwohner: by(({ count }) => count * 1000, einwohner),
      kwJe1000Einwohner: by((one) => one.bruttoleistungKw * 1000, einwohner),
      kwhJe1000Einwohner: by((one) => (one.speicherkapazitaetKwh ?? 0) * 1000, einwohner),
      kwJeKm2: by((one) => one.bruttoleistungKw, flaecheKm2),
    };
  });
}

/** The same day a year before. */
function yearBefore(day: string): string {
  const [year, rest] = [Number(day.slice(0, 4)) - 1, day.slice(4)];
  return rest === '-02-29' ? `${year}-02-28` : `${year}${rest}`;
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** The map: the largest values, as bars. @param asOf day of the register @returns null where there are too many places */
export async function mapFigures(
  choices: URLSearchParams,
  named: Area,
  asOf: string,
  call: Call,
  say: Say,
): Promise<Picture | null> {
  const wert = choices.get('wert') ?? 'leistung';
  const measure = MEASURES[wert];
  if (measure === undefined) return null;
  const { place, groupBy } = mapOf(named, choices.get('ebene') ?? 'landkreis');
  const [isShare, isChange, isPlan] = [wert.startsWith('anteil'), wert.startsWith('zuwachs'), wert === 'pipeline'];
  const isGrowth = wert.startsWith('zubau');
  const chosenYear = isChange || isPlan || isGrowth ? null : choices.get('jahr');
  const year = chosenYear === null ? null : Math.min(Number(chosenYear), Number(asOf.slice(0, 4)));
  const filters = Object.fromEntries([...choices].filter(([name]) => MAP_FILTERS.includes(name)));
  const bis = choices.get('bis') ?? asOf;
  const days = [choices.get('von') ?? yearBefore(bis), bis].sort();
  const yearEnd = year === null || year >= Number(asOf.slice(0, 4)) ? asOf : `${year}-12-31`;
  const stock: Query = isChange
    ? { bestandAm: [...new Set(days)].join() }
    : year === null
      ? {}
      : { bestandAm: yearEnd };
  const from = dayAfter(yearBefore(asOf));
  const later = (one: string, other = one) => (one > other ? one : other);
  const usual: Query =
    isChange || year !== null
      ? {}
      : isGrowth
        ? {
            inbetriebnahmeVon: later(from, filters.inbetriebnahmeVon),
            inbetriebnahmeBis: [asOf, filters.inbetriebnahmeBis ?? asOf].sort()[0] ?? asOf,
          }
        : { betriebsStatus: isPlan ? 'In Planung' : 'In Betrieb' };
  const status = filters.betriebsStatus === undefined ? {} : { betriebsStatus: filters.betriebsStatus };
  const carriers = choices.get('traeger')?.split(',') ?? null;
  const only: Query = carriers === null ? {} : { einheitTyp: carriers.join() };
  const common = { groupBy, ...(place === null ? {} : { [place.level]: place.value }), ...stock };
  const bounds = isGrowth ? usual : {};
  const groupsOf = async (query: Query) =>
    ((await ask(aggregate, { ...query, ...common }, call)) as { readonly groups: readonly Group[] }).groups;
  const part = await groupsOf({ ...only, ...usual, ...filters, ...bounds });
  const ofAll = choices.get('anteilAn') === 'alle';
  const whole = isShare ? await groupsOf({ ...(ofAll ? {} : only), ...usual, ...status }) : null;
  if (part.length >= MOST_GROUPS || (whole?.length ?? 0) >= MOST_GROUPS) return null;

  const at = isChange ? new Set(days).size - 1 : 0;
  const isStock = isChange || year !== null;
  const others = isChange ? groupsAt(part, 0) : whole !== null && isStock ? groupsAt(whole, 0) : whole;
  const byKey = new Map(others?.map((group) => [group.key, group]));
  const values = (isStock ? groupsAt(part, at) : part)
    .filter(({ key }) => key !== null)
    .map((group) => ({ group, other: byKey.get(group.key) ?? null }))
    .filter(({ group, other }) => group.count > 0 || (isChange && (other?.count ?? 0) > 0))
    .flatMap(({ group, other }) => {
      const value = measure.valueOf(group, other);
      return value === null ? [] : [{ group, value }];
    })
    .sort((one, other) => other.value - one.value);
  const bars = await Promise.all(
    values
      .slice(0, MOST_BARS)
      .map(async ({ group, value }) => ({ label: await labelOf(group, groupBy, call, say), value })),
  );
  const counted = isChange
    ? `${say('Bestand vom', 'stock from')} ${days.map((day) => dayIn(day, call.language)).join(say(' bis zum ', ' to '))}`
    : year !== null
      ? `${say('Bestand am', 'stock on')} ${dayIn(yearEnd, call.language)}`
      : isGrowth
        ? say(
            'in den zwölf Monaten bis zum Stand in Betrieb genommen',
            'commissioned in the twelve months to the day of the data',
          )
        : filters.betriebsStatus !== undefined
          ? null
          : isPlan
            ? say('Anlagen in Planung', 'units that are planned')
            : say('Anlagen in Betrieb', 'units in operation');
  const wholeName = ofAll || carriers === null ? '' : `: ${carrierNames(carriers, say)}`;
  const notes = [
    [say(...measure.unit), counted].filter((text) => text !== null).join(', '),
    isShare ? say('von allen Anlagen', 'of all units') + wholeName : null,
    carriers === null || wholeName !== '' ? null : carrierNames(carriers, say),
    Object.keys(filters).length === 0 ? null : say('gefiltert', 'filtered'),
    values.length > MOST_BARS
      ? say(`die größten ${MOST_BARS} von ${values.length}`, `the largest ${MOST_BARS} of ${values.length}`)
      : null,
  ];
  const where = await nameOf(place, call, say);
  const level = LEVELS[groupBy] ?? ['', ''];
  return {
    title: `${say(...measure.title)} ${say('nach', 'by')} ${say(...level)}: ${where}${year === null ? '' : `, ${year}`}`,
    unit: notes.filter((text) => text !== null).join('; '),
    bars,
  };
}

/** The shortest spelling that the place has for itself; where that is the key, what the pages call it. */
const labelOf = async ({ key, schluessel }: Group, level: string, call: Call, say: Say): Promise<string> =>
  schluessel == null || key !== schluessel ? (key ?? '') : nameOf({ level, value: key } as Place, call, say);
