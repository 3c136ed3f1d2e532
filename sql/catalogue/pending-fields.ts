import { between, dayRange, field, oneOf, type UnitField } from './field.ts';

/**
 * Fields that are announced and have no values yet: those of the results of tenders and of computed remuneration. No
 * unit carries them, and a filter by them finds nothing.
 */

const REMUNERATION = 'Noch ohne Werte: sie folgen mit den Vergütungsdaten; ein Filter danach findet bis dahin nichts';
const TENDERS = 'Noch ohne Werte: sie folgen mit den Ausschreibungsdaten; ein Filter danach findet bis dahin nichts';

const eeg = (
  name: string,
  kind: UnitField['kind'],
  meaning: string,
  options: Partial<Pick<UnitField, 'unit' | 'filters' | 'values'>> = {},
): UnitField =>
  field(name, kind, null, meaning, {
    block: 'eeg',
    module: 'eeg_verguetung',
    pending: true,
    hint: REMUNERATION,
    ...options,
  });

export const PENDING_FIELDS: readonly UnitField[] = [
  eeg('eegFoerderbeginn', 'day', 'Beginn der EEG-Förderung'),
  eeg('eegFoerderende', 'day', 'Ende der EEG-Förderung', { filters: dayRange('eegFoerderende') }),
  eeg('eegEinspeiseverguetungCtKwh', 'decimal', 'Einspeisevergütung, berechnet', {
    unit: 'ct/kWh',
    filters: between('eegEinspeiseverguetungMinCtKwh', 'eegEinspeiseverguetungMaxCtKwh'),
  }),
  eeg('eegAnzulegenderWertCtKwh', 'decimal', 'Anzulegender Wert, berechnet', {
    unit: 'ct/kWh',
    filters: between('eegAnzulegenderWertMinCtKwh', 'eegAnzulegenderWertMaxCtKwh'),
  }),
  eeg('eegReferenzertragVerhaeltnis', 'decimal', 'Verhältnis des Ertrags zum Referenzertrag (Wind)', {
    filters: between('eegReferenzertragVerhaeltnisMin', 'eegReferenzertragVerhaeltnisMax'),
  }),
  eeg('eegPhasenwechsel', 'day', 'Wechsel von der Anfangs- zur Grundvergütung (Wind)', {
    filters: dayRange('eegPhasenwechsel'),
  }),
  eeg('eegAbleitbarkeit', 'label', 'Wie sicher sich die EEG-Werte ableiten lassen', {
    values: ['exakt', 'geschaetzt', 'nicht_ableitbar'],
    filters: oneOf('eegAbleitbarkeit'),
  }),
  eeg('eegGesetz', 'label', 'Fassung des EEG, die für die Einheit gilt'),
  field('ausschreibungen', 'list', null, 'Ausschreibungen, in denen die Einheit einen Zuschlag erhielt', {
    block: 'ausschreibungen',
    pending: true,
    hint: TENDERS,
    filters: oneOf('gebotstermin'),
  }),
];
