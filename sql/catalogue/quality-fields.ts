import { CONSPICUOUS, RULE_IDS } from './anomalies.ts';
import { column, expr } from './expression.ts';
import { field, type UnitField } from './field.ts';

/** These fields are what the rules of plausibility say about a unit, for the day of the version's export. */
export const QUALITY_FIELDS: readonly UnitField[] = [
  field(
    'auffaelligkeiten',
    'anomalies',
    null,
    'Regeln der Plausibilität, nach denen Angaben der Einheit nicht stimmen können',
    {
      block: 'qualitaet',
      filters: [{ name: 'auffaelligkeit', compare: 'anomalies' }],
      values: RULE_IDS,
      hint: 'Nichts wird verborgen oder berichtigt; GET /v1/qualitaet beschreibt die Regeln',
    },
  ),
  field('auffaellig', 'boolean', null, 'Ob eine Regel der Schwere warnung oder fehler gilt', {
    block: 'qualitaet',
    read: expr`${column('auffaelligkeiten')} >= ${String(CONSPICUOUS)}`,
    filters: [{ name: 'auffaellig', compare: 'is' }],
    filterOnly: 'Gelesen werden die auffaelligkeiten',
  }),
  field('vorschlag', 'objects', null, 'Werte, die statt der eingetragenen offenbar gemeint sind, mit der Begründung', {
    block: 'qualitaet',
    hint: 'Steht neben dem Wert und geht in keine Summe ein',
  }),
];
