/** The licence of the data and the notices that it requires, for answers and dumps alike. */

/** Data licence Germany, attribution, version 2.0. */
const LICENCE = {
  bezeichnung: 'Datenlizenz Deutschland – Namensnennung – Version 2.0',
  url: 'https://www.govdata.de/dl-de/by-2-0',
  bereitsteller: 'Bundesnetzagentur',
  giltFuer: 'Marktstammdatenregister, Gesamtdatenexport',
  shareAlike: false,
};

export const SOURCE = 'Marktstammdatenregister (MaStR), Gesamtdatenexport der Bundesnetzagentur';

/** The changes of units against the publication of the Bundesnetzagentur. */
export const UNIT_CHANGES =
  'Auswahl der Einheiten und Felder; Anschriften und Namen natürlicher Personen entfernt, Koordinaten unter 30 kW ' +
  'entfernt; Schreibweisen vereinheitlicht; um Verlauf, Signale, Zuschläge und berechnete EEG-Werte ergänzt.';

/**
 * Licence and attribution of a dataset.
 * @param asOf day of the export, YYYY-MM-DD
 * @param changes its differences from the source
 */
export const licensed = (asOf: string, changes: string) => ({
  lizenzen: [LICENCE],
  veraendert: true,
  aenderungsvermerk: changes,
  lizenzHinweis: 'Nutzung auch gewerblich, mit Quellenvermerk; Veränderungen sind im Quellenvermerk zu nennen.',
  quellenvermerk: attribution(asOf, changes),
});

/** Provider, dataset, state, licence and change note in one sentence each, as clauses 2 and 3 of the licence ask. */
export function attribution(asOf: string, changes: string): string {
  const { bereitsteller, url } = LICENCE;
  return (
    `Quelle: ${bereitsteller}, Marktstammdatenregister (https://www.marktstammdatenregister.de), Stand ${germanDay(asOf)}; ` +
    `Datenlizenz Deutschland – Namensnennung – Version 2.0 (${url}). Daten verändert: ${changes}`
  );
}

const germanDay = (day: string): string => day.split('-').reverse().join('.');

/** Results of tenders: publications of the Bundesnetzagentur under section 35 of the EEG, which name no licence. */
export const TENDER_SOURCE =
  'Ergebnisse der Ausschreibungen nach EEG und KWKG, Bekanntgaben der Bundesnetzagentur (§ 35 EEG)';

/**
 * Licence and attribution of results of tenders. What was added from the register stays under the licence of the register.
 * @param asOf day of the newest results, YYYY-MM-DD; null = there are none
 * @param changes the differences from the publications
 * @param fromRegister the part that comes from the register; null = none
 */
export const tendersLicensed = (asOf: string | null, changes: string, fromRegister: string | null) => ({
  lizenzen: fromRegister === null ? [] : [{ ...LICENCE, giltFuer: fromRegister }],
  veraendert: true,
  aenderungsvermerk: changes,
  lizenzHinweis:
    'Amtliche Bekanntgaben nach § 35 EEG; die Veröffentlichungen nennen keine Lizenz.' +
    (fromRegister === null
      ? ''
      : ` Die Lizenz gilt für das, was aus dem Marktstammdatenregister stammt: ${fromRegister}.`),
  quellenvermerk: tenderAttribution(asOf, changes, fromRegister),
});

function tenderAttribution(asOf: string | null, changes: string, fromRegister: string | null): string {
  const state = asOf === null ? '' : `, Stand ${germanDay(asOf)}`;
  const register =
    fromRegister === null ? '' : `; ${fromRegister}: Marktstammdatenregister, ${LICENCE.bezeichnung} (${LICENCE.url})`;
  return `Quelle: ${LICENCE.bereitsteller}, Ergebnisse der Ausschreibungen (§ 35 EEG)${state}${register}. Daten verändert: ${changes}`;
}
