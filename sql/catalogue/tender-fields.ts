import { column, type ElementExpression, expr } from './expression.ts';
import { between, dayRange, field, type Kind, oneOf, type UnitField } from './field.ts';

/**
 * Fields that come from the results of tenders and from the law: what the EEG plant behind a unit is paid, and the awards
 * that the unit won. Units of a plant that are of one carrier and in one state have the same values. The day that counts as today
 * for them is the day of the version's export, as they are computed in the build.
 */

const DAY_OF_VERSION = 'gerechnet für den Tag des Exports';

/** @param source over the aliases `foerderung` and `award` of units.sql */
const eeg = (
  name: string,
  kind: Kind,
  source: ElementExpression,
  meaning: string,
  options: Partial<Pick<UnitField, 'unit' | 'filters' | 'values' | 'hint'>> = {},
): UnitField => field(name, kind, source, meaning, { block: 'eeg', module: 'eeg_verguetung', ...options });

export const TENDER_FIELDS: readonly UnitField[] = [
  eeg('eegFoerderbeginn', 'day', expr`foerderung.foerderbeginn`, 'Beginn der EEG-Förderung', {
    hint: 'In der Regel die Inbetriebnahme der EEG-Anlage, nicht die der Einheit: versetzte Einheiten behalten ihren Anspruch. Bei Zuschlägen beginnt die Förderung spätestens mit der Frist des Gesetzes',
  }),
  eeg('eegFoerderende', 'day', expr`foerderung.foerderende`, 'Letzter Tag der EEG-Förderung', {
    filters: dayRange('eegFoerderende'),
    hint: 'Ohne Verlängerung für Stunden mit negativen Preisen. Leer heißt nicht abgelaufen: Wasserkraft bis 5 MW nach dem EEG 2000 hat kein Ende',
  }),
  eeg(
    'eegEinspeiseverguetungCtKwh',
    'decimal',
    expr`foerderung.verguetung`,
    'Einspeisevergütung, die die Anlage am Tag des Exports beanspruchen kann, berechnet',
    {
      unit: 'ct/kWh',
      filters: between('eegEinspeiseverguetungMinCtKwh', 'eegEinspeiseverguetungMaxCtKwh'),
      hint: 'Berechnet, nicht abgerechnet: ohne Boni, Abzüge und Umsatzsteuer. Leer, wo das Gesetz keine feste Vergütung vorsieht (über 100 kW seit 2016), nach dem Ende der Förderung und wo eegAbleitbarkeit nicht_ableitbar ist',
    },
  ),
  eeg(
    'eegAnzulegenderWertCtKwh',
    'decimal',
    expr`foerderung.anzulegenderWert`,
    'Anzulegender Wert am Tag des Exports, an dem die Marktprämie gemessen wird, berechnet',
    {
      unit: 'ct/kWh',
      filters: between('eegAnzulegenderWertMinCtKwh', 'eegAnzulegenderWertMaxCtKwh'),
      hint: 'Nicht der Erlös: die Marktprämie ist der Abstand zum Marktwert. Nach Ausschreibungen mit Gebotspreis steht hier der mengengewichtete Mittelwert der Runde, weil einzelne Werte nicht veröffentlicht werden',
    },
  ),
  eeg(
    'eegReferenzertragVerhaeltnis',
    // Six places, like a degree: a ratio is a percentage of the register with two of its own.
    'degree',
    expr`foerderung.referenzertrag`,
    'Verhältnis des Standortertrags zum Referenzertrag (Wind): 0,85 sind 85 %',
    {
      filters: between('eegReferenzertragVerhaeltnisMin', 'eegReferenzertragVerhaeltnisMax'),
      hint: 'Aus den Angaben des Betreibers im Register, auch aus seiner Schätzung vor der Inbetriebnahme; kein Messwert des laufenden Jahres',
    },
  ),
  eeg(
    'eegPhasenwechsel',
    'day',
    expr`foerderung.phasenwechsel`,
    'Tag, an dem die höhere Anfangsvergütung endet (Wind)',
    {
      filters: dayRange('eegPhasenwechsel'),
      hint: 'Leer, wo das Gesetz nur eine Phase kennt oder die Anfangsvergütung bis zum Ende der Förderung gilt',
    },
  ),
  eeg(
    'eegAbleitbarkeit',
    'label',
    expr`coalesce(foerderung.ableitbarkeit, 'nicht_ableitbar')`,
    'Wie sicher sich die EEG-Werte ableiten lassen',
    {
      values: ['exakt', 'geschaetzt', 'nicht_ableitbar'],
      filters: oneOf('eegAbleitbarkeit'),
      hint: `Gilt für Einspeisevergütung und anzulegenden Wert, ${DAY_OF_VERSION}: nach dem Ende der Förderung nicht_ableitbar. geschaetzt steht an jedem Wert, der auf einem Mittelwert oder einer Annahme beruht`,
    },
  ),
  eeg('eegGesetz', 'label', expr`foerderung.gesetz`, 'Fassung des EEG, die den Satz bestimmt', {
    hint: 'Nach der Inbetriebnahme der EEG-Anlage, nach Ausschreibungen nach dem Gebotstermin; die Anlage behält sie für die ganze Förderung',
  }),
  field(
    'ausschreibungen',
    'objects',
    expr`award.ausschreibungen`,
    'Ausschreibungen, in denen die Einheit einen Zuschlag erhielt',
    {
      block: 'ausschreibungen',
      filters: [{ name: 'gebotstermin', compare: 'hasAny', over: column('gebotstermine') }],
      hint: 'zuordnung sagt, woher die Verbindung stammt: register = Zuschlagsnummer im Register, abgleich = Abgleich mit der Zuschlagsliste. Leer heißt nicht, dass es keinen Zuschlag gab',
    },
  ),
];
