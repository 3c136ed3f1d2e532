/** Filters by words that people look for, beside the names that the register gives them. */

/** Words in lower case, and the filters that they mean, by their parameter. */
const MEANT: readonly (readonly [words: readonly string[], parameters: readonly string[]])[] = [
  [
    [
      'balkon',
      'balkonkraftwerk',
      'steckersolar',
      'dach',
      'freifläche',
      'agri-pv',
      'fassade',
      'balcony',
      'plug-in',
      'roof',
      'rooftop',
      'facade',
    ],
    ['solarLage'],
  ],
  [
    ['windrad', 'windkraft', 'batterie', 'biogas', 'wasserkraft', 'carrier', 'wind turbine', 'battery', 'hydro'],
    ['einheitTyp'],
  ],
  // Where carriers are chosen elsewhere, what solar units have beside them is found.
  [
    ['pv', 'photovoltaik', 'photovoltaics', 'solaranlage'],
    ['einheitTyp', 'solarLage', 'solarNutzungsbereich'],
  ],
  [
    [
      'alter',
      'jahre',
      'baujahr',
      'zubau',
      'neu',
      'in betrieb seit',
      'ans netz',
      'age',
      'years',
      'added',
      'commissioned',
      'new',
    ],
    ['inbetriebnahmeVon'],
  ],
  [
    ['20 jahre', 'ü20', 'post-eeg', 'förderende', 'ausgefördert', 'vergütung endet', '20 years', 'end of support'],
    ['eegFoerderendeVon', 'inbetriebnahmeVon'],
  ],
  [
    ['abbau', 'rückbau', 'stillgelegt', 'abgeschaltet', 'removed', 'decommissioned', 'shut down'],
    ['stilllegungVon', 'betriebsStatus'],
  ],
  [
    ['geplant', 'pipeline', 'projekt', 'im bau', 'in planung', 'planned', 'project', 'under construction'],
    ['geplanteInbetriebnahmeVon', 'betriebsStatus'],
  ],
  [
    ['verspätet', 'verzug', 'verschoben', 'delayed', 'overdue'],
    ['ibnVerspaetungMinTage', 'ibnVerschiebungMinTage'],
  ],
  [
    ['netzanschluss', 'anschluss', 'spannung', 'einspeisepunkt', 'grid connection', 'voltage'],
    ['spannungsebene', 'netzbetreiber', 'amNetzanschluss'],
  ],
  [['übertragungsnetz', 'tso', 'ünb', 'transmission'], ['regelzone']],
  [['größe', 'leistung', 'kw', 'mw', 'peak', 'kwp', 'size', 'power', 'capacity'], ['leistungMinKw']],
  [['batteriegröße', 'kwh', 'energie', 'kapazität', 'battery size', 'energy'], ['speicherkapazitaetMinKwh']],
  [['heimspeicher', 'großspeicher', 'gewerbespeicher', 'home storage', 'large storage'], ['speichersegment']],
  [['lithium', 'akku', 'battery technology', 'batterie'], ['speichertechnologie']],
  [['hersteller', 'enercon', 'vestas', 'nordex', 'siemens', 'manufacturer'], ['windHersteller']],
  [['turbine', 'modell', 'typ', 'model', 'type'], ['windTypenbezeichnung']],
  [['offshore', 'auf see', 'nordsee', 'ostsee', 'sea', 'north sea', 'baltic'], ['windSeelage']],
  [['eigentümer', 'besitzer', 'firma', 'betreiber', 'owner', 'operator', 'company'], ['betreiber']],
  [
    ['tarif', 'vergütung', 'einspeisevergütung', 'förderung', 'tariff', 'support', 'remuneration'],
    ['eegEinspeiseverguetungMinCtKwh', 'eegAnzulegenderWertMinCtKwh'],
  ],
  [
    ['ausschreibung', 'zuschlag', 'auktion', 'tender', 'award', 'auction'],
    ['gebotstermin', 'hatEegZuschlagsnummer'],
  ],
  [['kwk', 'wärme', 'blockheizkraftwerk', 'bhkw', 'chp', 'heat'], ['mitKwk']],
  [
    ['kohle', 'gas', 'öl', 'müll', 'brennstoff', 'coal', 'fuel', 'oil', 'waste'],
    ['hauptbrennstoff', 'energietraeger'],
  ],
  [
    ['ort', 'stadt', 'kreis', 'postleitzahl', 'region', 'town', 'place', 'postal code', 'district', 'state'],
    ['plz', 'landkreis', 'gemeinde', 'bundesland'],
  ],
  [
    ['karte', 'koordinaten', 'standort', 'map', 'coordinates', 'site'],
    ['hatKoordinaten', 'amStandort'],
  ],
  [
    ['fehler', 'unplausibel', 'falsch', 'datenqualität', 'error', 'wrong', 'data quality'],
    ['auffaellig', 'auffaelligkeit'],
  ],
  [['volleinspeisung', 'überschuss', 'eigenverbrauch', 'feed-in', 'own consumption'], ['einspeisungsart']],
  [['genossenschaft', 'bürgerwind', 'cooperative', 'citizens'], ['buergerenergie']],
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
