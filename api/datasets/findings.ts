/**
 * The kinds of findings of a build, each with what it means for readers of the data in one sentence. docs/operations.md
 * tells operators more; a test holds both lists to each other.
 */

/**
 * The weight of a finding. `warnung`: something was not read; `hinweis`: some values or links are missing or not sure;
 * `info`: nothing is missing that should be there.
 */
export const WEIGHTS = ['warnung', 'hinweis', 'info'] as const;

type Weight = (typeof WEIGHTS)[number];

interface KindOfFinding {
  readonly stufe: Weight;
  readonly text: string;
  /** The text in English. */
  readonly description: string;
}

const warnung = (text: string, description: string): KindOfFinding => ({ stufe: 'warnung', text, description });
const hinweis = (text: string, description: string): KindOfFinding => ({ stufe: 'hinweis', text, description });
const info = (text: string, description: string): KindOfFinding => ({ stufe: 'info', text, description });

/** Every kind of finding, by its name in `befunde`. */
export const FINDINGS: Readonly<Record<string, KindOfFinding>> = {
  datensatz_nicht_wohlgeformt: warnung(
    'Datensätze, die beschädigt oder übermäßig lang waren, wurden nicht übernommen.',
    'Records that were damaged or far too long were not taken.',
  ),
  schluessel_fehlt: warnung(
    'Datensätze ohne Schlüssel wurden nicht übernommen.',
    'Records without a key were not taken.',
  ),
  schluessel_ungueltig: warnung(
    'Datensätze, deren Schlüssel keine gültige Nummer ist, wurden nicht übernommen.',
    'Records whose key is no valid number were not taken.',
  ),
  element_unbekannt: warnung(
    'Angaben, die dieser Dienst noch nicht kennt, wurden nicht gelesen.',
    'Values that this service does not know yet were not read.',
  ),
  datei_unbekannt: warnung(
    'Dateien einer Art, die dieser Dienst noch nicht kennt, wurden nicht gelesen.',
    'Files of a kind that this service does not know yet were not read.',
  ),
  ausschreibung_spalte_unbekannt: warnung(
    'Spalten einer Liste oder Statistik der Ausschreibungen, die dieser Dienst nicht kennt, wurden nicht gelesen.',
    'Columns of a list or statistics of the tenders that this service does not know were not read.',
  ),
  ausschreibung_blatt_unbekannt: warnung(
    'Tabellenblätter einer Statistik der Ausschreibungen, die dieser Dienst nicht kennt, wurden nicht gelesen.',
    'Sheets of statistics of the tenders that this service does not know were not read.',
  ),
  wert_unlesbar: hinweis(
    'Angaben, die kein Wert ihrer Art oder unmöglich sind, etwa eine Leistung über 25 GW, bleiben leer.',
    'Values that are none of their kind, or impossible, such as a power above 25 GW, stay empty.',
  ),
  tag_unplausibel: hinweis(
    'Tage vor 1880 oder mehr als 20 Jahre in der Zukunft bleiben leer.',
    'Days before 1880, or more than 20 years ahead, stay empty.',
  ),
  katalog_id_unbekannt: hinweis(
    'Angaben, für die der Katalog des Exports keinen Text hat, bleiben leer.',
    'Values for which the catalogue of the export has no text stay empty.',
  ),
  zeichen_verboten: hinweis(
    'Aus Texten wurden Zeichen entfernt, die dort nicht erlaubt oder nicht lesbar sind.',
    'Characters that are not allowed or not readable were taken out of texts.',
  ),
  struktur_unerwartet: hinweis(
    'Text oder Elemente an Stellen, an die sie nicht gehören, wurden übergangen.',
    'Text or elements in places where they do not belong were passed over.',
  ),
  verweis_ins_leere: hinweis(
    'Einheiten verweisen auf Betreiber, Anlagen oder Orte, die im Export fehlen.',
    'Units refer to operators, plants or places that the export does not have.',
  ),
  hersteller_ohne_regel: hinweis(
    'Hersteller von Windkraftanlagen ohne vereinheitlichte Schreibweise stehen so da wie im Register.',
    'Manufacturers of wind turbines without one spelling stand as in the register.',
  ),
  tabellenzeile_ohne_einheit: hinweis(
    'Zeilen einer Zusatztabelle nennen keine Einheit dieses Stands.',
    'Rows of a further table name no unit of this state.',
  ),
  zuschlagsnummer_unlesbar: hinweis(
    'Zuschlagsnummern, die keine sein können, stehen wie veröffentlicht oder bleiben leer.',
    'Award numbers that cannot be any stand as published, or stay empty.',
  ),
  zuschlagsnummer_andere_runde: hinweis(
    'Zuschlagsnummern einer anderen Runde als der ihrer Liste bleiben in der Runde der Liste.',
    'Award numbers of another round than that of their list stay in the round of the list.',
  ),
  zuschlag_unvollstaendig: hinweis(
    'Zeilen einer Zuschlagsliste haben keine Zuschlagsnummer oder keinen Standort.',
    'Rows of a list of awards have no award number or no site.',
  ),
  zuschlag_ersetzt: hinweis(
    'Zuschläge stehen verschieden in mehreren Listen ihrer Runde; die zuletzt geladene gilt.',
    'Awards stand differently in several lists of their round; the one loaded last holds.',
  ),
  zuschlag_standort_unlesbar: hinweis(
    'Standorte von Zuschlägen, aus denen weder Ort noch Registernummer zu lesen ist, stehen wie veröffentlicht.',
    'Sites of awards from which neither a town nor a number of the register can be read stand as published.',
  ),
  gebotstermin_abweichend: hinweis(
    'Zuschlagslisten nennen einen anderen Gebotstermin als der Kalender; es gilt der Termin der Liste.',
    'Lists of awards name another bid date than the calendar; that of the list holds.',
  ),
  ausschreibung_wert_unlesbar: hinweis(
    'Zahlen einer Statistik der Ausschreibungen, die nicht eindeutig sind, bleiben leer.',
    'Numbers of statistics of the tenders that are not clear stay empty.',
  ),
  ausschreibung_wert_abweichend: hinweis(
    'Zahlen einer Statistik der Ausschreibungen weichen von den mitgelieferten ab: spätere Berichtigungen oder Lesefehler.',
    'Numbers of statistics of the tenders differ from those delivered: later corrections, or reading errors.',
  ),
  ausschreibung_zeile_geteilt: info(
    'Zeilen von Zuschlagslisten in CSV, deren Zellen Trennzeichen oder Zeilenumbrüche ohne Anführungszeichen haben, wurden wieder zusammengesetzt.',
    'Rows of lists of awards in CSV whose cells have separators or line breaks without quotes were put together again.',
  ),
  zuschlag_ohne_termin: hinweis(
    'Zuschlagsnummern von Anlagen nennen einen Gebotstermin, den es nicht gab.',
    'Award numbers of plants name a bid date that there was not.',
  ),
  zuschlag_nicht_in_liste: hinweis(
    'Zuschlagsnummern von Anlagen fehlen in der Zuschlagsliste ihres Gebotstermins.',
    'Award numbers of plants are missing in the list of awards of their bid date.',
  ),
  zuschlag_ohne_einheit: hinweis(
    'Zuschlagsnummern stehen an Anlagen, auf die keine Einheit verweist.',
    'Award numbers stand at plants to which no unit refers.',
  ),
  zuschlag_widerspruch: hinweis(
    'Register und Zuschlagsliste ordnen Einheiten verschiedene Zuschläge zu; beide Zuordnungen bleiben stehen.',
    'Register and list of awards link units with different awards; both links stay.',
  ),
  zuschlag_anderer_energietraeger: hinweis(
    'Zuschläge gehören zu Einheiten eines anderen Energieträgers; die Zuordnung ist nicht sicher.',
    'Awards belong to units of another carrier; the link is not certain.',
  ),
  zuschlag_nach_inbetriebnahme: hinweis(
    'Solaranlagen waren schon vor dem Gebotstermin ihres Zuschlags in Betrieb.',
    'Solar units were in operation before the bid date of their award.',
  ),
  zuschlag_ueberschritten: hinweis(
    'Einheiten eines Zuschlags haben zusammen über 15 % mehr Leistung, als bezuschlagt wurde oder das Gesetz je Gebot zuließ.',
    'Units of an award have together over 15 % more power than was awarded, or than the law allowed for one bid.',
  ),
  flurstueck_mehrdeutig: hinweis(
    'Auf den Flurstücken von Einheiten liegen mehrere Zuschläge; ihnen wurde keiner zugeordnet.',
    'On the parcels of units lie several awards; none was linked with them.',
  ),
  flurstueck_zu_gross: hinweis(
    'Einheiten auf den Flurstücken eines Zuschlags haben mehr Leistung, als er haben kann, oder es ist nicht bekannt, wie groß er sein kann; er wurde ihnen nicht zugeordnet.',
    'Units on the parcels of an award have more power than it can have, or it is not known how large it can be; it was not linked with them.',
  ),
  wert_trotz_nv: info(
    'Werte, die das Register zugleich als nicht vorhanden kennzeichnet, wurden nicht übernommen.',
    'Values that the register marks as not there at the same time were not taken.',
  ),
  fuehrende_null_ergaenzt: info(
    'Gemeindeschlüssel mit sieben und deutsche Postleitzahlen mit vier Ziffern haben ihre führende Null wieder.',
    'Keys of municipalities with seven digits and German postal codes with four have their leading zero again.',
  ),
  keine_stromeinheit: info(
    'Einheiten, die keine Stromeinheiten sind, werden nicht ausgeliefert.',
    'Units that are none of electricity are not served.',
  ),
  geloescht_oder_deaktiviert: info(
    'Einheiten, die das Register als gelöscht oder deaktiviert führt, werden nicht ausgeliefert.',
    'Units that the register has as deleted or deactivated are not served.',
  ),
  natuerliche_person: info(
    'Namen natürlicher Personen werden nicht gespeichert.',
    'Names of natural persons are not stored.',
  ),
  zuschlagsnummer_berichtigt: info(
    'In Zuschlagsnummern wurden verwechselte Zeichen berichtigt, etwa ein kleines L statt eines großen I.',
    'Confused characters in award numbers were corrected, such as a small L in place of a capital I.',
  ),
  zuschlagsnummer_doppelt: info(
    'Zeilen einer Zuschlagsliste mit derselben Zuschlagsnummer sind ein Zuschlag mit allen ihren Standorten.',
    'Rows of a list of awards with the same award number are one award with all their sites.',
  ),
  nummer_der_liste_unbekannt: info(
    'Einheiten und Anlagen, die eine Zuschlagsliste nennt und die hier nicht ausgeliefert werden, bleiben beim Zuschlag genannt.',
    'Units and plants that a list of awards names and that are not served here stay named at the award.',
  ),
};

const UNKNOWN = hinweis(
  'Befunde dieser Art kennt nur die Fassung des Dienstes, die diesen Stand gebaut hat.',
  'Findings of this kind are known only to the release of the service that built this state.',
);

/** A kind of finding with the number of its findings. */
interface CountedFinding extends KindOfFinding {
  readonly art: string;
  readonly anzahl: number;
}

/** Puts counts into words: the weightiest first, and among equals the most frequent. */
export const inWords = (counts: readonly { readonly kind: string; readonly count: number }[]): CountedFinding[] =>
  counts
    .map(({ kind, count }) => ({ art: kind, anzahl: count, ...(FINDINGS[kind] ?? UNKNOWN) }))
    .sort(
      (one, other) =>
        WEIGHTS.indexOf(one.stufe) - WEIGHTS.indexOf(other.stufe) ||
        other.anzahl - one.anzahl ||
        (one.art < other.art ? -1 : 1),
    );
