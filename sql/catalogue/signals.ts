import { IS_CONSPICUOUS } from './anomalies.ts';

/**
 * The signals: named yes/no statements about a unit, each defined here and nowhere else. Every build computes them for
 * the day of its export into the column `signals` of `units`, one bit for each in the order of this table. A new signal
 * therefore goes to the end, and none ever changes its place.
 */

interface Signal {
  readonly name: string;
  /** The name in English. */
  readonly title: string;
  readonly description: string;
  /** The description in English. */
  readonly english: string;
  /**
   * SQL over the columns of `units`, true when the signal applies; `$tag` is the day of the export. Rules read catalogue
   * ids, as the register's texts change.
   */
  readonly rule: string;
}

const OVER_20_YEARS = "einheitTyp = 'wind' AND statusId = 35 AND inbetriebnahmedatum <= $tag - INTERVAL 20 YEAR";

export const SIGNALS = {
  neu_registriert: {
    name: 'Neu registriert',
    title: 'Newly registered',
    description: 'In den letzten 30 Tagen zum ersten Mal registriert',
    english: 'Registered for the first time in the last 30 days',
    rule: 'ersteRegistrierung >= $tag - 30',
  },
  inbetriebnahme_ueberfaellig: {
    name: 'Inbetriebnahme überfällig',
    title: 'Commissioning overdue',
    description: 'In Planung, das geplante Inbetriebnahmedatum ist vorbei',
    english: 'Planned, and the planned day of commissioning has passed',
    rule: 'statusId = 31 AND inbetriebnahmedatum IS NULL AND geplantesInbetriebnahmedatum < $tag',
  },
  inbetriebnahme_verschoben: {
    name: 'Inbetriebnahme verschoben',
    title: 'Commissioning put off',
    description: 'Die geplante Inbetriebnahme wurde nach hinten verschoben (ibnVerschiebungTage > 0)',
    english: 'The planned commissioning was put off (ibnVerschiebungTage > 0)',
    rule: 'ersterPlantagVom < letzterPlantagVom AND geplantesInbetriebnahmedatum > ersterPlantag',
  },
  wind_ueber_20_jahre: {
    name: 'Windenergieanlage über 20 Jahre',
    title: 'Wind turbine over 20 years',
    description: 'Windenergieanlage in Betrieb, seit mindestens zwanzig Jahren',
    english: 'Wind turbine in operation for at least twenty years',
    rule: OVER_20_YEARS,
  },
  repowering_kandidat: {
    name: 'Repowering-Kandidat',
    title: 'Candidate for repowering',
    description: 'Windenergieanlage in Betrieb seit mindestens zwanzig Jahren, höchstens 2 MW',
    english: 'Wind turbine in operation for at least twenty years, at most 2 MW',
    rule: `${OVER_20_YEARS} AND bruttoleistungKw <= 2000`,
  },
  foerderende_24_monate: {
    name: 'Förderende in 24 Monaten',
    title: 'End of support in 24 months',
    description: 'Nicht endgültig stillgelegt, die EEG-Förderung endet innerhalb von 24 Monaten',
    english: 'Not finally decommissioned, and support under the EEG ends within 24 months',
    rule: 'statusId IN (35, 37) AND eegFoerderende BETWEEN $tag AND $tag + INTERVAL 24 MONTH',
  },
  foerderung_ausgelaufen: {
    name: 'Förderung ausgelaufen',
    title: 'Support has ended',
    description: 'In Betrieb, die EEG-Förderung ist ausgelaufen',
    english: 'In operation, and support under the EEG has ended',
    rule: 'statusId = 35 AND eegFoerderende < $tag',
  },
  zuschlag_ohne_inbetriebnahme: {
    name: 'Zuschlag ohne Inbetriebnahme',
    title: 'Award without commissioning',
    description: 'In Planung mit Zuschlag, laut Register oder Zuschlagsliste, noch nicht in Betrieb genommen',
    english: 'Planned with an award, by the register or a list of awards, and not commissioned yet',
    rule: `statusId = 31 AND inbetriebnahmedatum IS NULL
      AND (eegZuschlagsnummer IS NOT NULL OR kwkZuschlagsnummer IS NOT NULL)`,
  },
  betreiberwechsel_12_monate: {
    name: 'Betreiberwechsel in 12 Monaten',
    title: 'Operator changed in 12 months',
    description: 'Betreiberwechsel in den letzten zwölf Monaten, laut Register oder zwischen zwei Exporten gesehen',
    english: 'The operator changed in the last twelve months, by the register or seen between two exports',
    // The register's day can be years before its registration; the day of the export is when we first saw it.
    rule: `betreiberwechselDatum BETWEEN $tag - INTERVAL 12 MONTH AND $tag
      OR betreiberSeit BETWEEN $tag - INTERVAL 12 MONTH AND $tag`,
  },
  voruebergehend_stillgelegt: {
    name: 'Vorübergehend stillgelegt',
    title: 'Temporarily shut down',
    description: 'Vorübergehend stillgelegt',
    english: 'Temporarily shut down',
    rule: 'statusId = 37',
  },
  netzbetreiberpruefung_offen: {
    name: 'Netzbetreiberprüfung offen',
    title: 'Check by the grid operator open',
    description: 'Netzbetreiberprüfung sechs Monate nach der Registrierung offen',
    english: 'The check by the grid operator is open six months after the registration',
    // The registration day is reset on commissioning, and so is the check. Until level 24.1 an open check was a 0.
    rule: 'netzbetreiberpruefungId IN (2955, 0) AND registrierungsdatum <= $tag - INTERVAL 6 MONTH',
  },
  grossspeicher: {
    name: 'Großspeicher',
    title: 'Large storage',
    description: 'Speicher ab 1 MW',
    english: 'Storage from 1 MW on',
    rule: "einheitTyp = 'storage' AND bruttoleistungKw >= 1000",
  },
  direktvermarktungspflicht_ohne_fernsteuerung: {
    name: 'Direktvermarktungspflicht ohne Fernsteuerung',
    title: 'Bound to direct marketing, without remote control',
    description: 'Seit 2016 in Betrieb genommen, über 100 kW, keine Fernsteuerbarkeit gemeldet',
    english: 'Commissioned since 2016, over 100 kW, no remote control reported',
    rule: `inbetriebnahmedatum >= DATE '2016-01-01' AND bruttoleistungKw > 100
      AND fernsteuerbarNetzbetreiber IS NOT TRUE AND fernsteuerbarDirektvermarkter IS NOT TRUE`,
  },
  daten_auffaellig: {
    name: 'Daten auffällig',
    title: 'Conspicuous data',
    description: 'Angaben der Einheit können nicht stimmen: eine Regel der Schwere warnung oder fehler gilt',
    english: 'Values of the unit cannot be right: a rule of severity warnung or fehler applies',
    rule: IS_CONSPICUOUS,
  },
} as const satisfies Readonly<Record<string, Signal>>;

export type SignalId = keyof typeof SIGNALS;

/** The place of a signal in this list is its bit in the column `signals`, so none may ever move. */
export const SIGNAL_IDS = Object.keys(SIGNALS) as readonly SignalId[];

/** The bit mask of these signals. */
export const signalMask = (ids: readonly string[]): number =>
  ids.reduce((mask, id) => mask + 2 ** SIGNAL_IDS.indexOf(id as SignalId), 0);

/** The signals of a bit mask. */
export const signalsIn = (mask: number): SignalId[] =>
  SIGNAL_IDS.filter((_, bit) => Math.floor(mask / 2 ** bit) % 2 === 1);

/** True for a signal that begins or ends by the passing of days, too, while the unit stays as it is. */
export const turnsWithDay = (id: SignalId): boolean => SIGNALS[id].rule.includes('$tag');

export const isSignal = (id: string): id is SignalId => Object.hasOwn(SIGNALS, id);

/**
 * The value of the column `signals`, as SQL over the other columns of `units`.
 * @param day day of the export, YYYY-MM-DD
 */
export function signalsExpression(day: string): string {
  const bits = Object.values(SIGNALS).map(
    ({ rule }, place) => `CASE WHEN ${rule.replaceAll('$tag', `DATE '${day}'`)} THEN ${2 ** place} ELSE 0 END`,
  );
  return `CAST(\n    ${bits.join('\n    + ')}\n  AS UINTEGER)`;
}
