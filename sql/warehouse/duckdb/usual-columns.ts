/**
 * The columns that one of twenty units has, or more; each of the others has a value for fewer. Their values have a
 * place in a row (sql/warehouse/rows/layout.ts), which makes it shorter and faster to write. A column too many or too few
 * costs time, and changes no value. None is a list.
 */
export const USUAL_COLUMNS: ReadonlySet<string> = new Set(
  `einheitTyp name betriebsStatus bruttoleistungKw inbetriebnahmedatum bundesland plz ort latitude longitude landkreis gemeinde
  gemeindeschluessel betreiberName betreiberMastrNummer registrierungsdatum nettonennleistungKw eegMastrNummer mitKwk einspeisungsart
  anlagenschluesselEeg nepGelistet datumLetzteAktualisierung netzbetreiber netzbetreiberMastrNummer netzbetreiberpruefung
  netzbetreiberpruefungDatum spannungsebene netzanschlusspunktMastrNummer bilanzierungsgebiet regelzone lokationMastrNummer
  standortEnergietraeger netzanschlussEnergietraeger
  energietraeger anschlussHochspannung fernsteuerbarNetzbetreiber fernsteuerbarDirektvermarkter solarLage solarNutzungsbereich
  solarSpeicherVorhanden solarWechselrichterleistungKw solarAnzahlModule solarLeistungsbegrenzung
  solarEinheitlicheAusrichtung solarHauptausrichtung solarHauptneigung solarNebenausrichtung
  solarNebenneigung speichertechnologie batterietechnologie
  speicherAcDcKopplung speicherNotstromaggregat speicherkapazitaetKwh speicherkapazitaetAnteilKwh speichersegment speicherdauerStunden
  speicherMastrNummer speicherWechselrichterleistungKw eegFoerderbeginn eegFoerderende eegEinspeiseverguetungCtKwh eegAnzulegenderWertCtKwh eegAbleitbarkeit eegGesetz signals`.split(
    /\s+/,
  ),
);
