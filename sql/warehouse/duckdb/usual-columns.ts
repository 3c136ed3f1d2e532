/**
 * The columns that a quarter of all units have, or more; each of the others has a value for few units. Rows are written
 * faster for it, and come out shorter. A column too many or too few costs time, and changes no value.
 */
export const USUAL_COLUMNS: ReadonlySet<string> = new Set(
  `mastrNummer einheitTyp name betriebsStatus bruttoleistungKw inbetriebnahmedatum bundesland plz ort landkreis gemeinde
  gemeindeschluessel betreiberMastrNummer registrierungsdatum nettonennleistungKw eegMastrNummer mitKwk einspeisungsart
  anlagenschluesselEeg nepGelistet datumLetzteAktualisierung netzbetreiber netzbetreiberMastrNummer netzbetreiberpruefung
  netzbetreiberpruefungDatum spannungsebene netzanschlusspunktMastrNummer bilanzierungsgebiet regelzone lokationMastrNummer
  energietraeger fernsteuerbarNetzbetreiber fernsteuerbarDirektvermarkter solarLage solarNutzungsbereich
  solarSpeicherVorhanden solarWechselrichterleistungKw solarAnzahlModule solarLeistungsbegrenzung
  solarEinheitlicheAusrichtung solarHauptausrichtung solarHauptneigung speichertechnologie batterietechnologie
  speicherAcDcKopplung speicherkapazitaetKwh speicherMastrNummer speicherWechselrichterleistungKw eegFoerderbeginn
  eegFoerderende eegEinspeiseverguetungCtKwh eegAnzulegenderWertCtKwh eegAbleitbarkeit eegGesetz signals`.split(/\s+/),
);
