import { say } from '../../format/language.ts';
import type { Dataset } from '../../v1/answers.ts';

/** What the interface says of its datasets in German, in English; of a dataset that these pages do not know it stays as it is. */

const LABELS: Readonly<Record<string, string>> = {
  mastr_einheiten: 'Units that generate or store electricity',
  mastr_marktakteure: 'Market actors, organisations alone',
  mastr_regionen: 'Added, removed and planned by day and place',
  ausschreibungen: 'Bid dates of the tenders',
  zuschlaege: 'Awards of the tenders',
};

const CYCLES: Readonly<Record<string, string>> = {
  täglich: 'daily',
  'je Gebotstermin, sobald seine Ergebnisse geladen sind': 'by bid date, once its results are loaded',
};

export const labelOf = ({ name, label }: Pick<Dataset, 'name' | 'label'>): string => say(label, LABELS[name] ?? label);

export const cycleOf = ({ updateCycle }: Dataset): string => say(updateCycle, CYCLES[updateCycle] ?? updateCycle);
