/** The signals: named yes/no statements about a unit, and what each means. */
export const SIGNALS = {
  neu_registriert: 'In den letzten 30 Tagen registriert',
  inbetriebnahme_ueberfaellig: 'In Planung, das geplante Inbetriebnahmedatum ist vorbei',
  inbetriebnahme_verschoben: 'Die geplante Inbetriebnahme wurde nach hinten verschoben',
  wind_ueber_20_jahre: 'Windenergieanlage in Betrieb, seit mindestens zwanzig Jahren',
  repowering_kandidat: 'Windenergieanlage in Betrieb seit mindestens zwanzig Jahren, höchstens 2 MW',
  foerderende_24_monate: 'Die Förderung endet innerhalb von 24 Monaten',
  foerderung_ausgelaufen: 'In Betrieb, die Förderung ist ausgelaufen',
  zuschlag_ohne_inbetriebnahme: 'Zuschlag erhalten, noch nicht in Betrieb',
  betreiberwechsel_12_monate: 'Betreiberwechsel in den letzten zwölf Monaten',
  voruebergehend_stillgelegt: 'Vorübergehend stillgelegt',
  netzbetreiberpruefung_offen: 'Netzbetreiberprüfung sechs Monate nach der Registrierung offen',
  grossspeicher: 'Speicher ab 1 MW',
  direktvermarktungspflicht_ohne_fernsteuerung:
    'Seit 2016 in Betrieb genommen, über 100 kW, keine Fernsteuerbarkeit gemeldet',
} as const;

export type SignalId = keyof typeof SIGNALS;

/** In the order of the table: its place is the bit of a signal in the column `signals`, so that none may ever move. */
export const SIGNAL_IDS = Object.keys(SIGNALS) as readonly SignalId[];

/** The bit mask of these signals. */
export const signalMask = (ids: readonly string[]): number =>
  ids.reduce((mask, id) => mask + 2 ** SIGNAL_IDS.indexOf(id as SignalId), 0);

/** The signals of a bit mask. */
export const signalsIn = (mask: number): SignalId[] =>
  SIGNAL_IDS.filter((_, bit) => Math.floor(mask / 2 ** bit) % 2 === 1);

export const isSignal = (id: string): id is SignalId => Object.hasOwn(SIGNALS, id);
