/**
 * Why a support value is missing or is no more than an estimate. The order is that of the checks: of several reasons
 * against a value the first one counts, of reasons for an estimate all do. The place in the list is a bit of the sums
 * in the SQL files, which name a reason as `{{code}}`.
 */
interface Reason {
  readonly code: string;
  readonly leadsTo: 'nicht_ableitbar' | 'geschaetzt';
  /** German, for the operator's explanation of a value. */
  readonly meaning: string;
}

const against = (code: string, meaning: string): Reason => ({ code, leadsTo: 'nicht_ableitbar', meaning });
const doubt = (code: string, meaning: string): Reason => ({ code, leadsTo: 'geschaetzt', meaning });

export const REASONS: readonly Reason[] = [
  against('kein_eeg_anspruch', 'Für diesen Energieträger gibt es keinen Anspruch nach dem EEG.'),
  against('keine_zahlung', 'Eine Zahlung nach dem EEG wird nicht in Anspruch genommen.'),
  against('nicht_in_betrieb', 'Die Anlage ist nicht in Betrieb und hat keinen Zuschlag.'),
  against('leistung_fehlt', 'Die installierte Leistung fehlt oder ist unmöglich.'),
  against('datum_fehlt', 'Das Inbetriebnahmedatum fehlt oder ist unmöglich.'),
  against('lage_fehlt', 'Die Art der Solaranlage fehlt.'),
  against('zuschlag_fehlt', 'Die Anlage braucht einen Zuschlag, aber weder Register noch Zuschlagsliste nennen einen.'),
  against('seewind_ausschreibung', 'Der Zuschlagswert des Windparks auf See ist nicht bekannt.'),
  against('feste_praemie', 'Die Innovationsausschreibung gab eine feste Prämie auf den Marktpreis.'),
  against('kwk_anlage', 'Die Anlage wird nach dem KWKG gefördert.'),
  against('biomasse_vor_2014_08', 'Die Boni der Biomasse vor August 2014 stehen nicht im Register.'),
  against('rundenwert_fehlt', 'Zu einem Zuschlag der Anlage ist kein Mittelwert der Runde bekannt.'),
  against('foerderung_beendet', 'Die Förderung ist beendet.'),
  against('keine_rate', 'Die Satztabelle hat keine Zeile für Datum, Art und Leistung.'),
  doubt('gebotspreis', 'Zuschlagswerte einzelner Gebote sind nicht veröffentlicht; es steht der Mittelwert der Runde.'),
  doubt('zuschlag_spaet', 'Zwischen Bekanntgabe und Inbetriebnahme liegen mehr als 18 Monate, 0,3 ct können abgehen.'),
  doubt(
    'flurstueck_abweichend',
    'Die Flurstücke von Liste und Register überschneiden sich nicht, 0,3 ct können abgehen.',
  ),
  doubt('mehrere_zuschlaege', 'Die Anlage hat mehrere Zuschläge.'),
  doubt('umstellung_angenommen', 'Der Monat des Wechsels in die Anschlussförderung ist angenommen.'),
  doubt('zuschlag_unbelegt', 'Das Register nennt einen Zuschlag ohne Nummer, den die Anlage nicht braucht.'),
  doubt('in_planung', 'Die Anlage ist noch nicht in Betrieb.'),
  doubt(
    'rate_unsicher',
    'Eine Zeile der Satztabelle stammt aus einer Quelle, die nicht für einen genauen Wert reicht.',
  ),
  doubt('fremdes_datum', 'Das EEG-Inbetriebnahmedatum fehlt; es zählt das der Einheit.'),
  doubt('uebergangsregel', 'Eine Übergangsregel des Gesetzes kann gelten.'),
  doubt('mehrere_anlagen', 'Mit früheren Anlagen am Ort zählt die Anlage als eine.'),
  doubt('bemessungsleistung', 'Die Bemessungsleistung ist angenommen.'),
  doubt('brennstoff_unsicher', 'Die Brennstoffklasse ist aus dem Register nicht sicher.'),
  doubt('bonus_unbekannt', 'Ein Bonus, der nicht im Register steht, kann den Satz ändern.'),
  doubt('teilmenge', 'Der Satz gilt nur für einen Teil der Strommenge.'),
  doubt(
    'gebaeude_aussenbereich',
    'Für ein Gebäude ohne Wohnnutzung kann der niedrigere Satz des Außenbereichs gelten.',
  ),
  doubt('konversionsflaeche', 'Ob die Anlage auf einer Konversionsfläche steht, ist nicht bekannt.'),
  doubt('wasserkraft_ertuechtigt', 'Die Wasserkraftanlage wurde ertüchtigt.'),
  doubt('einspeisungsart_fehlt', 'Die Einspeisungsart fehlt; es gilt die Teileinspeisung.'),
  doubt('buergerenergie', 'Der Wert folgt aus den höchsten Geboten des Vorjahres.'),
  doubt('standortertrag', 'Der Standortertrag ist nicht gemessen.'),
  doubt('seewind', 'Entfernung, Wassertiefe und Modell des Windparks auf See sind nicht vollständig bekannt.'),
];

/** The bit of each reason as the piece of SQL that stands for its code. */
export const REASON_BITS: Readonly<Record<string, string>> = Object.fromEntries(
  REASONS.map(({ code }, bit) => [code, String(2 ** bit)]),
);
