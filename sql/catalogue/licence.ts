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
  'entfernt; Schreibweisen vereinheitlicht; um Verlauf und Signale ergänzt.';

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
  const [year, month, day] = asOf.split('-');
  const { bereitsteller, url } = LICENCE;
  return (
    `Quelle: ${bereitsteller}, Marktstammdatenregister (https://www.marktstammdatenregister.de), Stand ${day}.${month}.${year}; ` +
    `Datenlizenz Deutschland – Namensnennung – Version 2.0 (${url}). Daten verändert: ${changes}`
  );
}
