/**
 * The kinds of findings of a build, each with what it means for readers of the data in one German sentence. docs/operations.md
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
}

const warnung = (text: string): KindOfFinding => ({ stufe: 'warnung', text });
const hinweis = (text: string): KindOfFinding => ({ stufe: 'hinweis', text });
const info = (text: string): KindOfFinding => ({ stufe: 'info', text });

/** Every kind of finding, by its name in `befunde`. */
export const FINDINGS: Readonly<Record<string, KindOfFinding>> = {
  datensatz_nicht_wohlgeformt: warnung(
    'Datensätze, die beschädigt oder übermäßig lang waren, wurden nicht übernommen.',
  ),
  schluessel_fehlt: warnung('Datensätze ohne Schlüssel wurden nicht übernommen.'),
  schluessel_ungueltig: warnung('Datensätze, deren Schlüssel keine gültige Nummer ist, wurden nicht übernommen.'),
  element_unbekannt: warnung('Angaben, die dieser Dienst noch nicht kennt, wurden nicht gelesen.'),
  datei_unbekannt: warnung('Dateien einer Art, die dieser Dienst noch nicht kennt, wurden nicht gelesen.'),
  ausschreibung_spalte_unbekannt: warnung(
    'Spalten einer Liste oder Statistik der Ausschreibungen, die dieser Dienst nicht kennt, wurden nicht gelesen.',
  ),
  ausschreibung_blatt_unbekannt: warnung(
    'Tabellenblätter einer Statistik der Ausschreibungen, die dieser Dienst nicht kennt, wurden nicht gelesen.',
  ),
  wert_unlesbar: hinweis(
    'Angaben, die kein Wert ihrer Art oder unmöglich sind, etwa eine Leistung über 25 GW, bleiben leer.',
  ),
  tag_unplausibel: hinweis('Tage vor 1880 oder mehr als 20 Jahre in der Zukunft bleiben leer.'),
  katalog_id_unbekannt: hinweis('Angaben, für die der Katalog des Exports keinen Text hat, bleiben leer.'),
  zeichen_verboten: hinweis('Aus Texten wurden Zeichen entfernt, die dort nicht erlaubt oder nicht lesbar sind.'),
  struktur_unerwartet: hinweis('Text oder Elemente an Stellen, an die sie nicht gehören, wurden übergangen.'),
  verweis_ins_leere: hinweis('Einheiten verweisen auf Betreiber, Anlagen oder Orte, die im Export fehlen.'),
  hersteller_ohne_regel: hinweis(
    'Hersteller von Windkraftanlagen ohne vereinheitlichte Schreibweise stehen so da wie im Register.',
  ),
  tabellenzeile_ohne_einheit: hinweis('Zeilen einer Zusatztabelle nennen keine Einheit dieses Stands.'),
  zuschlagsnummer_unlesbar: hinweis(
    'Zuschlagsnummern, die keine sein können, stehen wie veröffentlicht oder bleiben leer.',
  ),
  zuschlagsnummer_andere_runde: hinweis(
    'Zuschlagsnummern einer anderen Runde als der ihrer Liste bleiben in der Runde der Liste.',
  ),
  zuschlag_unvollstaendig: hinweis('Zeilen einer Zuschlagsliste haben keine Zuschlagsnummer oder keinen Standort.'),
  zuschlag_ersetzt: hinweis('Zuschläge stehen verschieden in mehreren Listen ihrer Runde; die zuletzt geladene gilt.'),
  zuschlag_standort_unlesbar: hinweis(
    'Standorte von Zuschlägen, aus denen weder Ort noch Registernummer zu lesen ist, stehen wie veröffentlicht.',
  ),
  gebotstermin_abweichend: hinweis(
    'Zuschlagslisten nennen einen anderen Gebotstermin als der Kalender; es gilt der Termin der Liste.',
  ),
  ausschreibung_wert_unlesbar: hinweis(
    'Zahlen einer Statistik der Ausschreibungen, die nicht eindeutig sind, bleiben leer.',
  ),
  ausschreibung_wert_abweichend: hinweis(
    'Zahlen einer Statistik der Ausschreibungen weichen von den mitgelieferten ab: spätere Berichtigungen oder Lesefehler.',
  ),
  ausschreibung_zeile_geteilt: info(
    'Zeilen von Zuschlagslisten in CSV, deren Zellen Trennzeichen oder Zeilenumbrüche ohne Anführungszeichen haben, wurden wieder zusammengesetzt.',
  ),
  zuschlag_ohne_termin: hinweis('Zuschlagsnummern von Anlagen nennen einen Gebotstermin, den es nicht gab.'),
  zuschlag_nicht_in_liste: hinweis('Zuschlagsnummern von Anlagen fehlen in der Zuschlagsliste ihres Gebotstermins.'),
  zuschlag_ohne_einheit: hinweis('Zuschlagsnummern stehen an Anlagen, auf die keine Einheit verweist.'),
  zuschlag_widerspruch: hinweis(
    'Register und Zuschlagsliste ordnen Einheiten verschiedene Zuschläge zu; beide Zuordnungen bleiben stehen.',
  ),
  zuschlag_anderer_energietraeger: hinweis(
    'Zuschläge gehören zu Einheiten eines anderen Energieträgers; die Zuordnung ist nicht sicher.',
  ),
  zuschlag_nach_inbetriebnahme: hinweis('Solaranlagen waren schon vor dem Gebotstermin ihres Zuschlags in Betrieb.'),
  zuschlag_ueberschritten: hinweis(
    'Einheiten eines Zuschlags haben zusammen über 15 % mehr Leistung, als bezuschlagt wurde oder das Gesetz je Gebot zuließ.',
  ),
  flurstueck_mehrdeutig: hinweis(
    'Auf den Flurstücken von Einheiten liegen mehrere Zuschläge; ihnen wurde keiner zugeordnet.',
  ),
  flurstueck_zu_gross: hinweis(
    'Einheiten auf den Flurstücken eines Zuschlags haben mehr Leistung, als er haben kann, oder es ist nicht bekannt, wie groß er sein kann; er wurde ihnen nicht zugeordnet.',
  ),
  wert_trotz_nv: info('Werte, die das Register zugleich als nicht vorhanden kennzeichnet, wurden nicht übernommen.'),
  fuehrende_null_ergaenzt: info(
    'Gemeindeschlüssel mit sieben und deutsche Postleitzahlen mit vier Ziffern haben ihre führende Null wieder.',
  ),
  keine_stromeinheit: info('Einheiten, die keine Stromeinheiten sind, werden nicht ausgeliefert.'),
  geloescht_oder_deaktiviert: info(
    'Einheiten, die das Register als gelöscht oder deaktiviert führt, werden nicht ausgeliefert.',
  ),
  natuerliche_person: info('Namen natürlicher Personen werden nicht gespeichert.'),
  zuschlagsnummer_berichtigt: info(
    'In Zuschlagsnummern wurden verwechselte Zeichen berichtigt, etwa ein kleines L statt eines großen I.',
  ),
  zuschlagsnummer_doppelt: info(
    'Zeilen einer Zuschlagsliste mit derselben Zuschlagsnummer sind ein Zuschlag mit allen ihren Standorten.',
  ),
  nummer_der_liste_unbekannt: info(
    'Einheiten und Anlagen, die eine Zuschlagsliste nennt und die hier nicht ausgeliefert werden, bleiben beim Zuschlag genannt.',
  ),
};

const UNKNOWN = hinweis('Befunde dieser Art kennt nur die Fassung des Dienstes, die diesen Stand gebaut hat.');

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
