/** Filters by words that people look for, beside the names that the register gives them. */

/** Words in lower case, and the filters that they mean, by their parameter. */
const MEANT: readonly (readonly [words: readonly string[], parameters: readonly string[]])[] = [
  [['balkon', 'balkonkraftwerk', 'steckersolar', 'dach', 'freifläche', 'agri-pv', 'fassade'], ['solarLage']],
  [['pv', 'photovoltaik', 'solaranlage', 'windrad', 'windkraft', 'batterie', 'biogas', 'wasserkraft'], ['einheitTyp']],
  [['alter', 'jahre', 'baujahr', 'zubau', 'neu', 'in betrieb seit', 'ans netz'], ['inbetriebnahmeVon']],
  [
    ['20 jahre', 'ü20', 'post-eeg', 'förderende', 'ausgefördert', 'vergütung endet'],
    ['eegFoerderendeVon', 'inbetriebnahmeVon'],
  ],
  [
    ['abbau', 'rückbau', 'stillgelegt', 'abgeschaltet'],
    ['stilllegungVon', 'betriebsStatus'],
  ],
  [
    ['geplant', 'pipeline', 'projekt', 'im bau', 'in planung'],
    ['geplanteInbetriebnahmeVon', 'betriebsStatus'],
  ],
  [
    ['verspätet', 'verzug', 'verschoben'],
    ['ibnVerspaetungMinTage', 'ibnVerschiebungMinTage'],
  ],
  [
    ['netzanschluss', 'anschluss', 'spannung', 'einspeisepunkt'],
    ['spannungsebene', 'netzbetreiber', 'amNetzanschluss'],
  ],
  [['übertragungsnetz', 'tso', 'ünb'], ['regelzone']],
  [['größe', 'leistung', 'kw', 'mw', 'peak', 'kwp'], ['leistungMinKw']],
  [['batteriegröße', 'kwh', 'energie', 'kapazität'], ['speicherkapazitaetMinKwh']],
  [['heimspeicher', 'großspeicher', 'gewerbespeicher'], ['speichersegment']],
  [['lithium', 'akku', 'batterie'], ['speichertechnologie']],
  [['hersteller', 'enercon', 'vestas', 'nordex', 'siemens'], ['windHersteller']],
  [['turbine', 'modell', 'typ'], ['windTypenbezeichnung']],
  [['offshore', 'auf see', 'nordsee', 'ostsee'], ['windSeelage']],
  [['eigentümer', 'besitzer', 'firma', 'betreiber'], ['betreiber']],
  [
    ['tarif', 'vergütung', 'einspeisevergütung', 'förderung'],
    ['eegEinspeiseverguetungMinCtKwh', 'eegAnzulegenderWertMinCtKwh'],
  ],
  [
    ['ausschreibung', 'zuschlag', 'auktion'],
    ['gebotstermin', 'hatEegZuschlagsnummer'],
  ],
  [['kwk', 'wärme', 'blockheizkraftwerk', 'bhkw'], ['mitKwk']],
  [
    ['kohle', 'gas', 'öl', 'müll', 'brennstoff'],
    ['hauptbrennstoff', 'energietraeger'],
  ],
  [
    ['ort', 'stadt', 'kreis', 'postleitzahl', 'region'],
    ['plz', 'landkreis', 'gemeinde', 'bundesland'],
  ],
  [
    ['karte', 'koordinaten', 'standort'],
    ['hatKoordinaten', 'amStandort'],
  ],
  [
    ['fehler', 'unplausibel', 'falsch', 'datenqualität'],
    ['auffaellig', 'auffaelligkeit'],
  ],
  [['volleinspeisung', 'überschuss', 'eigenverbrauch'], ['einspeisungsart']],
  [['genossenschaft', 'bürgerwind'], ['buergerenergie']],
];

/** Parameters of the filters that a text means: one of their words begins with it, or it holds such a word. */
export const meantBy = (text: string): ReadonlySet<string> => {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return new Set();
  const isMeant = (word: string): boolean =>
    (wanted.length > 1 && word.startsWith(wanted)) || ` ${wanted} `.includes(` ${word} `);
  return new Set(MEANT.flatMap(([words, parameters]) => (words.some(isMeant) ? parameters : [])));
};

/** All parameters that words lead to. */
export const MEANT_PARAMETERS: readonly string[] = [...new Set(MEANT.flatMap(([, parameters]) => parameters))];
