/** Stands in until the rules are merged. */

export const rateStatements = (): string[] => [
  `CREATE TEMP TABLE IF NOT EXISTS eeg_awards (eeg BIGINT, zuschlaege STRUCT(
    gebotstermin INTEGER, technologie VARCHAR, datum DATE, bekanntgabe DATE, mittel DECIMAL(6, 2), hoechstes DECIMAL(6, 2),
    einheitspreis BOOLEAN, festePraemie BOOLEAN, mengeKw DECIMAL(18, 3), flurstueckGleich BOOLEAN)[])`,
];

export const supportStatements = (_day: string): string[] => [
  `CREATE OR REPLACE TEMP TABLE eeg_support AS
   SELECT eeg, NULL::DATE AS foerderbeginn, NULL::DATE AS foerderende, NULL::DECIMAL(6,2) AS verguetung,
     NULL::DECIMAL(6,2) AS anzulegenderWert, NULL::DECIMAL(9,6) AS referenzertrag, NULL::DATE AS phasenwechsel,
     'nicht_ableitbar' AS ableitbarkeit, NULL::VARCHAR AS gesetz, NULL::VARCHAR AS art, NULL::VARCHAR[] AS gruende,
     NULL::INTEGER[] AS raten FROM eeg_plants`,
];
