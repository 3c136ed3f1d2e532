/** The form of a rule of plausibility: it says which values of a unit cannot be right, or hardly. */

/**
 * `fehler`: the values contradict each other or what is possible. `warnung`: hardly any unit is so. `hinweis`: worth a look, but often
 * right; units of which nothing else is said do not count as conspicuous.
 */
export const SEVERITIES = ['hinweis', 'warnung', 'fehler'] as const;

type Severity = (typeof SEVERITIES)[number];

/** A value that is plainly meant instead of the one in the register. It is shown beside it, and used in no sum. */
export interface Proposal {
  /** The field whose value it would replace. */
  readonly field: string;
  /** SQL like `condition`, a number or the digits of a key; where `when` does not hold, no value is plain. */
  readonly value: string;
  readonly isKey?: boolean;
  readonly when: string;
  /** Why, in German; `$bound` stands for a bound. */
  readonly reason: string;
  readonly reasonInEnglish: string;
}

export interface Rule {
  /** Its place in the number that keeps what was found about a unit: no released rule ever changes it, and none is used again. */
  readonly bit: number;
  readonly name: string;
  /** The name in English. */
  readonly title: string;
  /** What is conspicuous, in German; `$bound` stands for a bound. */
  readonly description: string;
  readonly english: string;
  readonly severity: Severity;
  /** The fields of the catalogue that it compares. */
  readonly fields: readonly string[];
  /** The bounds that condition, texts and proposals name, in the unit of measure that their names end with. */
  readonly bounds: Readonly<Record<string, number>>;
  /**
   * SQL over the columns of `units` and those of BESIDE, true where the rule has something to say; `$day` is the day of the export.
   * It reads catalogue ids where there are any, as the register's texts change.
   */
  readonly condition: string;
  /** What the bounds rest on, in German. */
  readonly source: string;
  readonly sourceInEnglish: string;
  readonly proposals?: readonly Proposal[];
}

/**
 * What rules read of a unit that `units` does not keep, with its type and its source over the aliases of units.sql. A column that
 * `units` has by the same name would hide it.
 */
export const BESIDE = {
  solarLageId: { type: 'INTEGER', source: 'e.ArtDerSolaranlage_id' },
  technologieId: { type: 'INTEGER', source: 'e.Technologie_id' },
  einspeisungsartId: { type: 'INTEGER', source: 'e.Einspeisungsart_id' },
  typRotorAbM: { type: 'DECIMAL(9, 3)', source: 'windname.rotorAbM' },
  typRotorBisM: { type: 'DECIMAL(9, 3)', source: 'windname.rotorBisM' },
  typLeistungAbKw: { type: 'DECIMAL(18, 3)', source: 'windname.leistungAbKw' },
  typLeistungBisKw: { type: 'DECIMAL(18, 3)', source: 'windname.leistungBisKw' },
  // Only keys that the official list does not have: `frueher` or `unbekannt`, and the one that is meant (place-keys.sql).
  schluesselStand: { type: 'VARCHAR', source: 'regionen.schluesselStand' },
  schluesselHeute: { type: 'VARCHAR', source: 'regionen.schluesselHeute' },
  // Only units that are out of place have these (ingest/assembly/misplaced.ts).
  abstandGemeindeM: { type: 'INTEGER', source: 'misplaced.abstandGemeindeM' },
  abstandDeutschlandM: { type: 'INTEGER', source: 'misplaced.abstandDeutschlandM' },
  agsAmPunkt: { type: 'VARCHAR', source: 'misplaced.agsAmPunkt' },
  ortAmPunkt: { type: 'BOOLEAN', source: 'misplaced.ortAmPunkt' },
  // Only units at the point of another have these (twin-units.sql).
  abstandTurbineM: { type: 'DOUBLE', source: 'twin.abstandTurbineM' },
  doppelt: { type: 'BOOLEAN', source: 'twin.doppelt' },
  anlageKw: { type: 'DECIMAL(18, 3)', source: 'eegAnlage.kw' },
  anlageEinheitenKw: { type: 'DECIMAL(18, 3)', source: 'eegAnlage.einheitenKw' },
} as const satisfies Readonly<Record<string, { readonly type: string; readonly source: string }>>;
