import { STATE_NAMES } from '../register/states.ts';
import { RULES, type RuleId } from './plausibility.ts';
import { BESIDE, type Proposal, type Rule } from './rule.ts';

/** A unit keeps what the rules of plausibility find about it as the bits of one number; NULL where they find nothing. */

const ALL: Readonly<Record<RuleId, Rule>> = RULES;

const NUMBERS = {
  de: new Intl.NumberFormat('de', { maximumFractionDigits: 6 }),
  en: new Intl.NumberFormat('en', { maximumFractionDigits: 6 }),
};

type Write = (bound: number, name: string) => string;

const inGerman: Write = (bound, name) => inWords(bound, name, 'de');
const inEnglish: Write = (bound, name) => inWords(bound, name, 'en');

export const RULE_IDS = Object.keys(RULES) as readonly RuleId[];

const ENTRIES = RULE_IDS.map((id) => ({ id, ...ALL[id] }));

/**
 * The bit of a unit that is conspicuous: at least one rule above `hinweis` applies. As it is the highest one, a comparison finds such
 * units on either engine, and a version keeps what it was built with when a rule changes its severity. It is also the highest bit
 * that numbers of JavaScript hold exactly.
 */
export const CONSPICUOUS = 2 ** 52;

/** Stands for all conspicuous units where figures are told by rule. */
export const CONSPICUOUS_ID = 'auffaellig';

/** SQL that holds for a conspicuous unit, over the columns of `units`. */
export const IS_CONSPICUOUS = `auffaelligkeiten >= ${CONSPICUOUS}`;

/** The bit of a rule as a number. */
export const bitOfRule = (id: RuleId): number => 2 ** ALL[id].bit;

/** The bit mask of these rules. */
export const ruleMask = (ids: readonly RuleId[]): number => ids.reduce((mask, id) => mask + bitOfRule(id), 0);

/** A rule with its bounds written into its texts. */
export interface WrittenRule extends Omit<Rule, 'bit' | 'condition' | 'proposals'> {
  readonly id: RuleId;
}

export const WRITTEN_RULES: readonly WrittenRule[] = ENTRIES.map(
  ({ bit: _, condition: __, proposals: ___, ...rule }) => ({
    ...rule,
    description: withBounds(rule.description, rule, inGerman),
    english: withBounds(rule.english, rule, inEnglish),
  }),
);

/** An anomaly of a unit, as answers show it. */
export interface Anomaly {
  readonly regel: RuleId;
  readonly felder: readonly string[];
  readonly schwere: Rule['severity'];
  readonly hinweis: string;
  /** `hinweis` in English. */
  readonly note: string;
}

const ANOMALIES = WRITTEN_RULES.map(({ id, fields, severity, description, english }) => ({
  bit: bitOfRule(id),
  anomaly: { regel: id, felder: fields, schwere: severity, hinweis: description, note: english } satisfies Anomaly,
}));

/** The anomalies of a bit mask; 0: none. */
export const anomaliesIn = (mask: number): Anomaly[] =>
  mask === 0 ? [] : ANOMALIES.filter(({ bit }) => Math.floor(mask / bit) % 2 === 1).map(({ anomaly }) => anomaly);

/** The same in DuckDB, as the text of a JSON array. */
export function anomaliesJson(mask: string): string {
  const items = ANOMALIES.map(
    ({ bit, anomaly }) => `CASE WHEN (${mask} & ${bit}) > 0 THEN ${literal(JSON.stringify(anomaly))} END`,
  );
  return `CASE WHEN ${mask} IS NULL THEN '[]' ELSE concat('[', concat_ws(',', ${items.join(', ')}), ']') END`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Selects what rules read beside the columns of `units`, over the aliases of units.sql. */
export const besideColumns = (): string =>
  Object.entries({ ...BESIDE, landschluessel: { source: STATE_KEY } })
    .map(([name, { source }]) => `${source} AS ${name}`)
    .join(', ');

/** The names of these columns. */
export const BESIDE_NAMES: readonly string[] = [...Object.keys(BESIDE), 'landschluessel'];

/** The first two digits of the keys of a state's municipalities. */
const STATE_KEY = `CASE e.Bundesland ${Object.entries(STATE_NAMES)
  .map(([key, name]) => `WHEN ${literal(name)} THEN '${key}'`)
  .join(' ')} END`;

/**
 * The bits of the rules that apply, as SQL over the columns of `units` and those beside; 0 where none does.
 * @param day day of the export, YYYY-MM-DD
 */
export const ruleBits = (day: string): string =>
  ENTRIES.map(
    (rule) => `CASE WHEN ${withBounds(rule.condition, rule, String, day)} THEN ${2 ** rule.bit} ELSE 0 END`,
  ).join('\n    + ');

/** The bits of those rules that read the day alone of what is beside the columns of `units`. */
export const dayRuleBits = (day: string): string =>
  ENTRIES.filter(({ condition }) => condition.includes('$day'))
    .map((rule) => `CASE WHEN ${withBounds(rule.condition, rule, String, day)} THEN ${2 ** rule.bit} ELSE 0 END`)
    .join(' + ');

const ABOVE_HINTS = ruleMask(RULE_IDS.filter((id) => ALL[id].severity !== 'hinweis'));

/** The value of the column `auffaelligkeiten`, from such bits. */
export const anomaliesExpression = (bits: string): string =>
  `CAST(CASE WHEN ${bits} & ${ABOVE_HINTS} > 0 THEN ${bits} + ${CONSPICUOUS} WHEN ${bits} > 0 THEN ${bits} END AS UBIGINT)`;

/** The value of the column `vorschlag`: the text of a JSON array of the values that are plainly meant; NULL where there is none. */
export function proposalsExpression(bits: string): string {
  const items = ENTRIES.flatMap((rule) => (rule.proposals ?? []).map((proposal) => proposalText(bits, rule, proposal)));
  return `CASE WHEN ${bits} > 0 THEN '[' || nullif(concat_ws(',', ${items.join(', ')}), '') || ']' END`;
}

function proposalText(bits: string, rule: (typeof ENTRIES)[number], proposal: Proposal): string {
  const { field, value, isKey = false, when } = proposal;
  const begruendung = withBounds(proposal.reason, rule, inGerman);
  const reason = withBounds(proposal.reasonInEnglish, rule, inEnglish);
  const written = JSON.stringify({ feld: field, wert: null, regel: rule.id, begruendung, reason });
  const [before = '', after = ''] = written.split('null');
  const meant = withBounds(value, rule, String);
  const text = isKey ? `'"' || ${meant} || '"'` : `CAST(CAST(${meant} AS DECIMAL(18, 3)) AS VARCHAR)`;
  const isPlain = `(${bits} & ${2 ** rule.bit}) > 0 AND ${withBounds(when, rule, String)}`;
  return `CASE WHEN ${isPlain} THEN ${literal(before)} || ${text} || ${literal(after)} END`;
}

/** Writes bounds, and the day, into a text of a rule. */
function withBounds(text: string, { bounds }: Rule | WrittenRule, write: Write, day?: string): string {
  return text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    if (name === 'day' && day !== undefined) return `DATE '${day}'`;
    const bound = bounds[name];
    if (bound === undefined) throw new Error(`A rule names ${name}, which is none of its bounds`);
    return write(bound, name);
  });
}

/** Bounds are named after their unit of measure: shares become percent, and a year has no thousands. */
function inWords(bound: number, name: string, language: keyof typeof NUMBERS): string {
  if (name === 'jahr') return String(bound);
  if (name.endsWith('Anteil')) return `${bound * 100} %`;
  return NUMBERS[language].format(bound);
}
