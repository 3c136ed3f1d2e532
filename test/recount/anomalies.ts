import { readFileSync } from 'node:fs';
import type { RuleId } from '../../sql/catalogue/plausibility.ts';
import { type Outside, outsides } from './outside.ts';
import type { Recount, RecountedUnit } from './recount.ts';

/** The rules of plausibility a second time, in plain code with bounds of its own, over units as they were recounted. */

/** A unit with its values as numbers; of one that is missing NaN, with which no comparison holds. */
interface Seen {
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

const STATES: Readonly<Record<string, string>> = {
  ...{ Bayern: '09', Berlin: '11', Brandenburg: '12', Bremen: '04', Hamburg: '02', Hessen: '06', Niedersachsen: '03' },
  ...{ Saarland: '10', Sachsen: '14', Thüringen: '16', 'Baden-Württemberg': '08', 'Mecklenburg-Vorpommern': '13' },
  ...{ 'Nordrhein-Westfalen': '05', 'Rheinland-Pfalz': '07', 'Sachsen-Anhalt': '15', 'Schleswig-Holstein': '01' },
};

const area = (rotor: number): number => 0.7854 * rotor ** 2;
const isIn = (value: number, low: number, high: number): boolean => value >= low && value <= high;

const isOnLand = ({ bundesland }: RecountedUnit['fields']): boolean => STATES[String(bundesland)] !== undefined;
const isAtSea = (lat: number, lon: number): boolean =>
  (isIn(lat, 53.4, 55.95) && isIn(lon, 3.3, 9.1)) || (isIn(lat, 53.9, 55.1) && isIn(lon, 9.9, 14.8));

/** The name of a place up to the first word that does not begin those of many. */
const tellingOf = (name: unknown): string | undefined =>
  /^(?:(?:bad|markt|sankt|st\.?|stadt|gro(?:ß|ss)|klein|neu|alt|hohen|am|im)[ .-]+)*\p{L}+/iu
    .exec(String(name))?.[0]
    .toLowerCase();

const isTownOf = ({ ort }: RecountedUnit['fields'], { names }: Outside): boolean =>
  ort !== null && names.some((name) => tellingOf(name) === tellingOf(ort));

/** Rules that are told without their data: of postal codes the build's own list decides. */
type Told = Exclude<RuleId, 'plz_anderes_bundesland'>;

const HOLDS: Readonly<Record<Told, (seen: Seen) => boolean>> = {
  modulleistung_hoch: ({ carrier, gross, modules }) => carrier === 'solar' && modules > 0 && gross / modules > 0.8,
  modulleistung_niedrig({ carrier, gross, modules, kind, unit, commissioned }) {
    if (carrier !== 'solar' || !(modules > 0)) return false;
    const watts = (gross * 1000) / modules;
    const day = commissioned ?? String(unit.geplantesInbetriebnahmedatum ?? '');
    if (watts < 5 || (gross >= 30 && watts < 45)) return true;
    return (kind === 2961 && watts < 75) || (kind === 852 && watts < 60 && day >= '2020-01-01');
  },
  leistung_je_flaeche_hoch: ({ carrier, gross, hectares }) =>
    carrier === 'solar' && hectares > 0 && gross > 2500 * hectares,
  leistung_je_flaeche_niedrig: ({ carrier, gross, hectares }) => carrier === 'solar' && gross < 50 * hectares,
  netto_ueber_brutto: ({ gross, net }) => net * 1000 > gross * 1010 + 50,
  netto_weit_unter_brutto: ({ gross, net }) => net > 0 && gross / net > 10,
  leistung_null: ({ gross, net }) => gross <= 0 || net <= 0,
  dach_leistung_hoch: ({ carrier, kind, gross }) => carrier === 'solar' && kind === 853 && gross > 20_000,
  steckersolar_leistung_hoch: ({ carrier, kind, gross, net }) =>
    carrier === 'solar' && kind === 2961 && (gross > 2 || net > 0.8),
  speicher_privat_hoch: ({ carrier, technology, unit, feedIn, gross }) =>
    carrier === 'storage' &&
    [524, Number.NaN].some((id) => Object.is(id, technology)) &&
    unit.betreiberName === null &&
    unit.eegMastrNummer !== null &&
    feedIn === 689 &&
    gross >= 500,
  speicher_stunden_niedrig: ({ carrier, technology, energy, gross }) =>
    carrier === 'storage' && technology === 524 && energy * 4 < gross,
  wind_leistung_rotor({ carrier, gross, rotor }) {
    if (carrier !== 'wind' || !(rotor > 0)) return false;
    return gross * 1000 > 700 * area(rotor) || (gross >= 100 && gross * 1000 < 150 * area(rotor));
  },
  wind_nabenhoehe_rotor: ({ carrier, gross, rotor, hub }) =>
    carrier === 'wind' && gross >= 100 && rotor > 0 && hub > 0 && (hub - rotor / 2 < 8 || hub > 3 * rotor || hub > 310),
  wind_rotor_typ: ({ rotor, type: [low = Number.NaN, high = Number.NaN] }) =>
    rotor * 100 < low * 97 || rotor * 100 > high * 103,
  wind_leistung_typ: ({ gross, type: [, , low = Number.NaN, high = Number.NaN] }) =>
    gross * 10 < low * 9 || gross * 100 > high * 105,
  koordinaten_null: ({ lat, lon }) => lat === 0 || lon === 0,
  koordinaten_vertauscht: ({ lat, lon }) => isIn(lat, 3, 16) && isIn(lon, 47, 56),
  koordinaten_ausserhalb_deutschland: ({ unit, carrier, lat, lon, outside }) =>
    unit.bundesland !== null &&
    (outside?.country ?? 0) > 2000 &&
    !((carrier === 'wind' || !isOnLand(unit)) && isAtSea(lat, lon)),
  koordinaten_ausserhalb_gemeinde: ({ unit, outside }) =>
    isOnLand(unit) && outside !== null && outside.own > 500 && !isTownOf(unit, outside),
  gemeinde_passt_nicht_zu_ort: ({ unit, outside }) =>
    isOnLand(unit) && outside !== null && outside.own > 500 && isTownOf(unit, outside),
  koordinaten_ganze_grad: ({ lat, lon }) => Number.isInteger(lat) && Number.isInteger(lon),
  gemeinde_anderes_bundesland({ unit }) {
    const state = STATES[String(unit.bundesland)];
    return (
      state !== undefined && unit.gemeindeschluessel !== null && !String(unit.gemeindeschluessel).startsWith(state)
    );
  },
  in_betrieb_ab_zukunft: ({ status, commissioned, today }) =>
    status === 35 && commissioned !== null && commissioned > today,
  in_betrieb_mit_ende: ({ status, ended, today }) => status === 35 && ended !== null && ended <= today,
  in_planung_mit_inbetriebnahme: ({ status, commissioned, today }) =>
    status === 31 && commissioned !== null && commissioned <= today,
  ende_vor_beginn: ({ commissioned, ended }) => commissioned !== null && ended !== null && ended < commissioned,
  inbetriebnahme_vor_technik: ({ carrier, technology, commissioned }) =>
    commissioned !== null &&
    commissioned < '1980' &&
    (['solar', 'wind'].includes(carrier) || (carrier === 'storage' && technology === 524)),
};

export const TOLD_RULES = Object.keys(HOLDS) as readonly Told[];

const numberOf = (value: unknown): number =>
  value === null || value === undefined || value === '' ? Number.NaN : Number(value);

/** The rules that apply to each unit of a recount, as far as they are told here. @param today day of the export */
export function anomaliesByUnit({ units, raw }: Recount, today: string): Map<string, Told[]> {
  const outsideOf = outsides();
  return new Map(
    [...units].map(([number, { fields: unit, statusId }]) => {
      const row = raw.get(number) ?? {};
      const [lat, lon] = [numberOf(unit.latitude), numberOf(unit.longitude)];
      const seen: Seen = {
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
        lat,
        lon,
        outside: Number.isNaN(lat) ? null : outsideOf(String(unit.gemeindeschluessel ?? ''), lon, lat),
        commissioned: unit.inbetriebnahmedatum as string | null,
        ended: unit.stilllegungsdatum as string | null,
        kind: numberOf(row.ArtDerSolaranlage ?? row.Lage),
        technology: numberOf(row.Technologie),
        feedIn: numberOf(row.Einspeisungsart),
        type: TYPES.get(String(unit.windTypenbezeichnung)) ?? [],
      };
      return [number, TOLD_RULES.filter((id) => HOLDS[id](seen))] as const;
    }),
  );
}
