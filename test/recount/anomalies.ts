import type { RuleId } from '../../sql/catalogue/plausibility.ts';
import type { Outside } from './outside.ts';
import { meantInstead } from './proposals.ts';
import type { Recount, RecountedUnit } from './recount.ts';
import { type Seen, seenUnits } from './seen.ts';

/** The rules of plausibility a second time, in plain code with bounds of its own, over units as they were recounted. */

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

/** The states in which postal codes begin so, as people say it; those of the rule are listed by state. */
const STATES_OF_POSTCODES = `
  01 SN BB, 02 SN BB, 03 BB SN, 04 SN ST TH BB, 06 ST SN TH BB, 07 TH SN ST BY, 08 SN TH, 09 SN, 10 BE, 12 BE BB, 13 BE BB,
  14 BB BE ST, 15 BB BE, 16 BB BE MV, 17 MV BB, 18 MV, 19 MV BB NI, 20 HH, 21 NI HH SH MV, 22 HH SH, 23 SH MV, 24 SH, 25 SH HH,
  26 NI, 27 NI HB HH SH, 28 HB NI, 29 NI ST, 30 NI, 31 NI NW, 32 NW NI, 33 NW NI, 34 HE NI NW, 35 HE NW RP, 36 HE TH BY,
  37 NI TH HE NW, 38 NI ST, 39 ST BB NI, 40 NW, 41 NW, 42 NW, 44 NW, 45 NW, 46 NW, 47 NW, 48 NW NI, 49 NI NW, 50 NW, 51 NW RP,
  52 NW, 53 NW RP, 54 RP NW SL, 55 RP HE, 56 RP HE, 57 NW RP HE, 58 NW, 59 NW HE, 60 HE, 61 HE, 63 HE BY, 64 HE BW BY, 65 HE RP,
  66 SL RP, 67 RP, 68 BW HE, 69 BW HE, 70 BW, 71 BW, 72 BW, 73 BW, 74 BW BY, 75 BW, 76 BW RP, 77 BW, 78 BW, 79 BW, 80 BY, 81 BY,
  82 BY, 83 BY, 84 BY, 85 BY, 86 BY BW, 87 BY BW, 88 BW BY, 89 BW BY, 90 BY, 91 BY BW, 92 BY, 93 BY, 94 BY, 95 BY SN TH, 96 BY TH,
  97 BY BW HE TH, 98 TH BY, 99 TH ST HE`;

const INITIALS: Readonly<Record<string, string>> = {
  ...{ SH: '01', HH: '02', NI: '03', HB: '04', NW: '05', HE: '06', RP: '07', BW: '08' },
  ...{ BY: '09', SL: '10', BE: '11', BB: '12', MV: '13', SN: '14', ST: '15', TH: '16' },
};

const PLACES_OF_POSTCODES = new Set(
  STATES_OF_POSTCODES.split(',').flatMap((entry) => {
    const [digits = '', ...states] = entry.trim().split(' ');
    return states.map((state) => `${INITIALS[state]} ${digits}`);
  }),
);

const HOLDS: Readonly<Record<RuleId, (seen: Seen) => boolean>> = {
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
  speicher_stunden_hoch: ({ carrier, technology, hours }) => carrier === 'storage' && technology === 524 && hours > 24,
  pumpspeicher_becken: ({ unit, technology, hours }) => technology === 1537 && hours > 48 && isOnLand(unit),
  pumpspeicher_jahresspeicher: ({ unit, technology, hours }) => technology === 1537 && hours > 48 && !isOnLand(unit),
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
  wind_gleicher_punkt: ({ isAtAnother }) => isAtAnother,
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
  gemeindeschluessel_unbekannt: ({ unit, key }) => key.isUnknown && isOnLand(unit),
  gemeindeschluessel_frueher: ({ key }) => key.isFormer,
  plz_anderes_bundesland: ({ unit: { plz, bundesland } }) =>
    STATES[String(bundesland)] !== undefined &&
    String(plz ?? '').length === 5 &&
    !PLACES_OF_POSTCODES.has(`${STATES[String(bundesland)]} ${String(plz).slice(0, 2)}`),
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
  eeg_leistung_summe: ({ carrier, status, plantKw, unitsKw }) =>
    ![0, 31].includes(status) &&
    (unitsKw * 10 > plantKw * 11 || (['solar', 'wind'].includes(carrier) && plantKw * 10 > unitsKw * 11)),
  doppelt_gemeldet: ({ isSecondEntry }) => isSecondEntry,
};

const RULES = Object.keys(HOLDS) as readonly RuleId[];

interface Told {
  readonly rules: readonly RuleId[];
  readonly meant: ReturnType<typeof meantInstead>;
}

/** The rules that apply to each unit of a recount, and the values that are meant instead. @param today day of the export */
export const anomaliesByUnit = (counted: Recount, today: string): Map<string, Told> =>
  new Map(
    [...seenUnits(counted, today)].map(([number, seen]) => {
      const rules = RULES.filter((id) => HOLDS[id](seen));
      return [number, { rules, meant: meantInstead(seen, rules) }] as const;
    }),
  );
