import { IS_CONSPICUOUS } from './anomalies.ts';

/**
 * The signals: named yes/no statements about a unit, each defined here and nowhere else. Every build computes them for
 * the day of its export into the column `signals` of `units`, one bit for each in the order of this table. A new signal
 * therefore goes to the end, and none ever changes its place.
 */

interface Signal {
  readonly name: string;
  readonly description: string;
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
    description: 'In den letzten 30 Tagen zum ersten Mal registriert',
    rule: 'ersteRegistrierung >= $tag - 30',
  },
  inbetriebnahme_ueberfaellig: {
    name: 'Inbetriebnahme überfällig',
    description: 'In Planung, das geplante Inbetriebnahmedatum ist vorbei',
    rule: 'statusId = 31 AND inbetriebnahmedatum IS NULL AND geplantesInbetriebnahmedatum < $tag',
  },
  inbetriebnahme_verschoben: {
    name: 'Inbetriebnahme verschoben',
    description: 'Die geplante Inbetriebnahme wurde nach hinten verschoben (ibnVerschiebungTage > 0)',
    rule: 'ersterPlantagVom < letzterPlantagVom AND geplantesInbetriebnahmedatum > ersterPlantag',
  },
  wind_ueber_20_jahre: {
    name: 'Windenergieanlage über 20 Jahre',
    description: 'Windenergieanlage in Betrieb, seit mindestens zwanzig Jahren',
    rule: OVER_20_YEARS,
  },
  repowering_kandidat: {
    name: 'Repowering-Kandidat',
    description: 'Windenergieanlage in Betrieb seit mindestens zwanzig Jahren, höchstens 2 MW',
    rule: `${OVER_20_YEARS} AND bruttoleistungKw <= 2000`,
  },
  foerderende_24_monate: {
    name: 'Förderende in 24 Monaten',
    description: 'Nicht endgültig stillgelegt, die EEG-Förderung endet innerhalb von 24 Monaten',
    rule: 'statusId IN (35, 37) AND eegFoerderende BETWEEN $tag AND $tag + INTERVAL 24 MONTH',
  },
  foerderung_ausgelaufen: {
    name: 'Förderung ausgelaufen',
    description: 'In Betrieb, die EEG-Förderung ist ausgelaufen',
    rule: 'statusId = 35 AND eegFoerderende < $tag',
  },
  zuschlag_ohne_inbetriebnahme: {
    name: 'Zuschlag ohne Inbetriebnahme',
    description: 'In Planung mit Zuschlag, laut Register oder Zuschlagsliste, noch nicht in Betrieb genommen',
    rule: `statusId = 31 AND inbetriebnahmedatum IS NULL
      AND (eegZuschlagsnummer IS NOT NULL OR kwkZuschlagsnummer IS NOT NULL)`,
  },
  betreiberwechsel_12_monate: {
    name: 'Betreiberwechsel in 12 Monaten',
    description: 'Betreiberwechsel in den letzten zwölf Monaten, laut Register oder zwischen zwei Exporten gesehen',
    // The register's day can be years before its registration; the day of the export is when we first saw it.
    rule: `betreiberwechselDatum BETWEEN $tag - INTERVAL 12 MONTH AND $tag
      OR betreiberSeit BETWEEN $tag - INTERVAL 12 MONTH AND $tag`,
  },
  voruebergehend_stillgelegt: {
    name: 'Vorübergehend stillgelegt',
    description: 'Vorübergehend stillgelegt',
    rule: 'statusId = 37',
  },
  netzbetreiberpruefung_offen: {
    name: 'Netzbetreiberprüfung offen',
    description: 'Netzbetreiberprüfung sechs Monate nach der Registrierung offen',
    // The registration day is reset on commissioning, and so is the check. Until level 24.1 an open check was a 0.
    rule: 'netzbetreiberpruefungId IN (2955, 0) AND registrierungsdatum <= $tag - INTERVAL 6 MONTH',
  },
  grossspeicher: {
    name: 'Großspeicher',
    description: 'Speicher ab 1 MW',
    rule: "einheitTyp = 'storage' AND bruttoleistungKw >= 1000",
  },
  direktvermarktungspflicht_ohne_fernsteuerung: {
    name: 'Direktvermarktungspflicht ohne Fernsteuerung',
    description: 'Seit 2016 in Betrieb genommen, über 100 kW, keine Fernsteuerbarkeit gemeldet',
    rule: `inbetriebnahmedatum >= DATE '2016-01-01' AND bruttoleistungKw > 100
      AND fernsteuerbarNetzbetreiber IS NOT TRUE AND fernsteuerbarDirektvermarkter IS NOT TRUE`,
  },
  daten_auffaellig: {
    name: 'Daten auffällig',
    description: 'Angaben der Einheit können nicht stimmen: eine Regel der Schwere warnung oder fehler gilt',
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
