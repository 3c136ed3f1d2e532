import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { parcelKeys, parcelsOfRegister } from '../../sql/tenders/parcels.ts';
import { idOf, type TypedRow, type Value } from './values.ts';

/**
 * The support values of solar plants without an award, by plain loops (docs/decisions/0016-support-values.md).
 * Units without an EEG plant have none, and storage has none either.
 */

export type Support = Readonly<Record<(typeof SUPPORT_FIELDS)[number], Value>>;

export const SUPPORT_FIELDS = [
  'eegFoerderbeginn',
  'eegFoerderende',
  'eegEinspeiseverguetungCtKwh',
  'eegAnzulegenderWertCtKwh',
  'eegReferenzertragVerhaeltnis',
  'eegPhasenwechsel',
  'eegAbleitbarkeit',
  'eegGesetz',
] as const;

const NOTHING: Support = {
  eegFoerderbeginn: null,
  eegFoerderende: null,
  eegEinspeiseverguetungCtKwh: null,
  eegAnzulegenderWertCtKwh: null,
  eegReferenzertragVerhaeltnis: null,
  eegPhasenwechsel: null,
  eegAbleitbarkeit: 'nicht_ableitbar',
  eegGesetz: null,
};

/** Ids of the register's catalogues. */
const IN_OPERATION = 35;
const PLANNED = 31;
const PLUG_IN = 2961;
const ROOFS = [853, PLUG_IN];
/** On the ground, structures, water and car parks. */
const ELSEWHERE = [852, 2484, 3002, 3058];
const HOUSING = 713;
const BUILDING = 853;
const FULL_FEED_IN = 688;

/** Roofs behind different points of connection are plants of their own from this day on. */
const ROOFS_APART_FROM = '2024-05-16';

type Member = readonly [number: string, unit: TypedRow];

interface Plant {
  readonly eeg: TypedRow;
  /** Its solar units; others name it by mistake. */
  readonly members: readonly Member[];
  /** Its own day, or that of the unit that leads. */
  readonly day: string | null;
  readonly kw: number | null;
  readonly locations: ReadonlySet<string>;
  readonly parcels: ReadonlySet<string>;
  readonly isBuilding: boolean;
}

/**
 * @param units the served units by number
 * @param awarded numbers of plants whose units have awards
 * @returns by number of unit; units of which nothing is recounted are absent
 */
export function supportOf(
  units: ReadonlyMap<string, TypedRow>,
  plants: ReadonlyMap<string, TypedRow>,
  awarded: ReadonlySet<string>,
  today: string,
): Map<string, Support> {
  const members = Map.groupBy(units, ([, { values }]) => values.EegMaStRNummer ?? null);
  const solar = new Map<string, Plant>();
  for (const [number, ofPlant] of members) {
    const eeg = typeof number === 'string' ? plants.get(number) : undefined;
    if (eeg?.kind === 'AnlagenEegSolar') solar.set(String(number), plantOf(eeg, ofPlant));
  }
  const before = plantsBefore(solar);
  const found = new Map<string, Support>();
  for (const [number, unit] of units) {
    const key = String(unit.values.EegMaStRNummer ?? '');
    const plant = solar.get(key);
    if (unit.kind === 'EinheitenStromSpeicher' || !isOfKind(unit, plants.get(key))) found.set(number, NOTHING);
    else if (plant !== undefined && !awarded.has(key) && !holdsAward(plant.eeg)) {
      const kw = before.get(key);
      const support = solarSupport(plant, inState(plant.members, unit), kw === undefined ? 0 : kw, today);
      if (support !== null) found.set(number, support);
    }
  }
  return found;
}

const holdsAward = ({ values }: TypedRow): boolean =>
  values.AusschreibungZuschlag === true || (values.Zuschlagsnummer ?? null) !== null;

const isOfKind = (unit: TypedRow, plant: TypedRow | undefined): boolean =>
  unit.kind.replace('Einheiten', 'AnlagenEeg') === plant?.kind;

const dayOf = ({ values }: TypedRow): string | null => (values.Inbetriebnahmedatum ?? null) as string | null;

const ownDayOf = ({ values }: TypedRow): string | null => (values.EegInbetriebnahmedatum ?? null) as string | null;

/** The units that share their support with one: those in operation, the planned ones, or all others. */
function inState(members: readonly Member[], unit: TypedRow): TypedRow[] {
  const stateOf = (one: TypedRow): number => [IN_OPERATION, PLANNED].indexOf(idOf(one, 'EinheitBetriebsstatus') ?? 0);
  return members.flatMap(([, one]) => (stateOf(one) === stateOf(unit) ? [one] : []));
}

function plantOf(eeg: TypedRow, all: readonly Member[]): Plant {
  const members = all.filter(([, unit]) => isOfKind(unit, eeg)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const status = ([, unit]: Member): number | null => idOf(unit, 'EinheitBetriebsstatus');
  const leading = members.find((one) => status(one) === IN_OPERATION) ?? members[0];
  const built = members.filter((one) => status(one) !== PLANNED);
  const gross = (built.length > 0 ? built : members).map(
    ([, one]) => one.values.Bruttoleistung ?? one.values.Nettonennleistung ?? null,
  );
  return {
    eeg,
    members,
    day: ownDayOf(eeg) ?? (leading === undefined ? null : dayOf(leading[1])),
    kw:
      (eeg.values.InstallierteLeistung as number | undefined) ??
      (gross.length > 0 && !gross.includes(null) ? sum(gross.map(Number)) : null),
    locations: new Set(members.flatMap(([, one]) => String(one.values.LokationMaStRNummer ?? '') || [])),
    parcels: new Set(members.flatMap(([, one]) => parcelsOf(one))),
    isBuilding: members.every(([, one]) => idOf(one, 'ArtDerSolaranlage') === BUILDING),
  };
}

/** The parcels of a unit above 30 kW with their municipality; a parcel without its cadastral district is none. */
function parcelsOf({ values, raw }: TypedRow): string[] {
  const { Gemeindeschluessel: key } = values;
  if (typeof key !== 'string' || !(Number(values.Bruttoleistung ?? 0) > 30)) return [];
  const parcels = parcelsOfRegister(raw.Gemarkung ?? null, raw.FlurFlurstuecknummern ?? null);
  return [...parcelKeys(parcels)]
    .filter((parcel) => !parcel.startsWith('|'))
    .map((parcel) => `${key.padStart(8, '0')}|${parcel}`);
}

/**
 * Capacity of the plants at the location or on the parcel in the twelve months before, or six until 2008, by number of plant;
 * null where that of one of them is unknown.
 */
function plantsBefore(solar: ReadonlyMap<string, Plant>): Map<string, number | null> {
  const counted = [...solar].filter(
    ([, { members, day }]) => day !== null && members.some(([, unit]) => idOf(unit, 'ArtDerSolaranlage') !== PLUG_IN),
  );
  const bySite = new Map<string, (readonly [string, Plant])[]>();
  for (const entry of counted) {
    for (const site of [...entry[1].locations, ...entry[1].parcels]) {
      bySite.set(site, [...(bySite.get(site) ?? []), entry]);
    }
  }
  const before = new Map<string, number | null>();
  for (const [number, { day, locations, parcels, isBuilding }] of counted) {
    const first = monthsBefore(day!, day! < '2009-01-01' ? 6 : 12);
    const isApart = day! < '2009-01-01' || (isBuilding && day! >= ROOFS_APART_FROM);
    const capacities = [...locations, ...(isApart ? [] : parcels)].map((site) =>
      bySite
        .get(site)!
        .filter(([other, { day: earlier }]) => earlier! >= first && `${earlier}${other}` < `${day}${number}`)
        .map(([, { kw }]) => kw),
    );
    const isUnknown = capacities.some((ofSite) => ofSite.includes(null));
    before.set(number, isUnknown ? null : Math.max(0, ...capacities.map((ofSite) => sum(ofSite.map(Number)))));
  }
  return before;
}

/**
 * Null for citizen energy, whose values follow from bids.
 * @param units those that share it: the first stands for the others
 */
function solarSupport(
  { eeg, kw }: Plant,
  units: readonly TypedRow[],
  before: number | null,
  today: string,
): Support | null {
  const unit = units[0]!;
  const ownDay = ownDayOf(eeg);
  const day = ownDay ?? dayOf(unit);
  const differ = (read: (one: TypedRow) => Value): boolean => new Set(units.map(read)).size > 1;
  const status = idOf(unit, 'EinheitBetriebsstatus');
  const commissioned = status !== PLANNED && day !== null && day >= '1900-01-01' && day <= today ? day : null;
  const ruleDay = commissioned !== null && commissioned < '2000-04-01' ? '2000-04-01' : commissioned;
  const lage = idOf(unit, 'ArtDerSolaranlage');
  const isRoof = lage !== null && ROOFS.includes(lage);
  const own = kw === null || kw <= 0 ? null : kw;
  const limit = ruleDay === null ? Number.POSITIVE_INFINITY : tenderAbove(ruleDay, lage);
  const needsAward = own !== null && watts(own + (before ?? 0)) > watts(limit);
  if (needsAward && unit.values.Buergerenergie === true) return null;
  const dates: Support = {
    ...NOTHING,
    eegFoerderbeginn: commissioned,
    eegFoerderende: ruleDay === null ? null : endOf(ruleDay, needsAward, isRoof || lage === null),
    eegGesetz: ruleDay === null ? null : lawOf(ruleDay),
  };
  if (ruleDay === null || own === null || lage === null || status !== IN_OPERATION || needsAward) return dates;
  if (before === null || (!isRoof && !ELSEWHERE.includes(lage))) return dates;
  const whole = watts(own + before) / 1000;
  if (eeg.values.InanspruchnahmeZahlungNachEeg === false || String(dates.eegFoerderende) < today) return dates;
  const common = (element: string): number | null => (differ((one) => idOf(one, element)) ? null : idOf(unit, element));
  const feedIn = common('Einspeisungsart');
  const isFull =
    isRoof && feedIn === FULL_FEED_IN && ruleDay >= '2022-07-30' && whole <= (ruleDay < '2023-01-01' ? 300 : 1000);
  const kind = isRoof ? 'gebaeude' : ruleDay < '2015-09-01' ? 'freiflaeche' : 'sonstige';
  const bands = bandsAt(ruleDay, isFull ? 'volleinspeisung' : 'grund', kind);
  const tariff = meanRate(bands, 'tariff', before, whole);
  const value = meanRate(bands, 'value', before, whole) ?? (tariff === null ? null : tariff + 40);
  if (value === null) return dates;
  const doubts = [
    ownDay === null,
    ownDay === null && differ(dayOf),
    differ((one) => idOf(one, 'ArtDerSolaranlage')),
    before > 0,
    bands.some(({ exact, from_kw }) => !exact && Number(from_kw) < whole),
    ruleDay >= '2012-04-01' && ruleDay < (isRoof ? '2012-07-01' : '2012-10-01'),
    !isRoof && ruleDay >= '2010-07-01' && ruleDay < '2012-04-01',
    isRoof && whole > 300 && whole <= 750 && ruleDay >= '2021-04-01' && ruleDay < '2023-01-01',
    isRoof && ruleDay >= '2012-04-01' && common('Nutzungsbereich') !== HOUSING,
    feedIn === null && ruleDay >= '2022-07-30',
  ];
  const tariffTo = ruleDay < '2014-08-01' ? Number.POSITIVE_INFINITY : ruleDay < '2016-01-01' ? 500 : 100;
  return {
    ...dates,
    eegEinspeiseverguetungCtKwh: whole > tariffTo ? null : (tariff ?? value - 40) / 100,
    eegAnzulegenderWertCtKwh: value / 100,
    eegAbleitbarkeit: doubts.includes(true) ? 'geschaetzt' : 'exakt',
  };
}

/** Capacity in kW above which a plant needs an award. */
function tenderAbove(day: string, lage: number | null): number {
  if (day >= '2023-01-01') return 1000;
  if (day >= '2017-01-01') return 750;
  return lage === 852 && day >= '2015-09-01' ? 0 : Number.POSITIVE_INFINITY;
}

/** Plants with an award have exactly twenty years; roofs of the second segment count from an announcement that is not known. */
function endOf(day: string, needsAward: boolean, mayBeRoof: boolean): string | null {
  const year = Number(day.slice(0, 4)) + 20;
  if (!needsAward) return `${year}-12-31`;
  if (mayBeRoof && day >= '2021-01-01') return null;
  return day.endsWith('02-29') && year % 4 !== 0 ? `${year}-02-28` : `${year}${day.slice(4)}`;
}

const LAWS = ['2004-01-01 EEG 2004', '2009-01-01 EEG 2009', '2012-01-01 EEG 2012', '2014-08-01 EEG 2014'];
const LATER_LAWS = ['2017-01-01 EEG 2017', '2021-01-01 EEG 2021', '2023-01-01 EEG 2023'];

const lawOf = (day: string): string =>
  [...LAWS, ...LATER_LAWS].findLast((law) => law.slice(0, 10) <= day)?.slice(11) ?? 'EEG 2000';

interface Rate {
  readonly from_kw: string;
  readonly to_kw: string;
  readonly tariff: string;
  readonly value: string;
  readonly exact: boolean;
}

type RateRow = Readonly<Record<string, string>>;

const RATES = (
  parse(readFileSync(new URL('../../data/reference/eeg-rates.csv', import.meta.url)), { columns: true }) as RateRow[]
).filter(({ carrier }) => carrier === 'solar');

/** The bands of a day, lowest first. */
function bandsAt(day: string, art: string, kind: string): Rate[] {
  return RATES.filter(
    (rate) => rate.art === art && rate.class === kind && rate.valid_from! <= day && rate.valid_to! >= day,
  )
    .map((rate) => ({ ...(rate as unknown as Rate), exact: rate.exact === 'true' }))
    .sort((a, b) => Number(a.from_kw) - Number(b.from_kw));
}

/** Hundredths of a cent, rounded half up; null when a band has no rate or the plant is larger than all of them. */
function meanRate(bands: readonly Rate[], price: 'tariff' | 'value', before: number, whole: number): number | null {
  const upperOf = ({ to_kw }: Rate): number => (to_kw === '' ? Number.POSITIVE_INFINITY : watts(Number(to_kw)));
  const reached = bands.filter(({ from_kw }) => watts(Number(from_kw)) < watts(whole));
  const last = reached.at(-1);
  if (last === undefined || upperOf(last) < watts(whole) || reached.some((band) => band[price] === '')) return null;
  const money = sum(
    reached.map((band) => {
      const part = Math.min(watts(whole), upperOf(band)) - Math.max(watts(before), watts(Number(band.from_kw)));
      return Math.max(0, part) * Math.round(Number(band[price]) * 100);
    }),
  );
  const capacity = watts(whole) - watts(before);
  return Math.floor((2 * money + capacity) / (2 * capacity));
}

const watts = (kilowatts: number): number => Math.round(kilowatts * 1000);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The same day some months before; the last of the month where that has no such day. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}
