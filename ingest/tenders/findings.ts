import type { TenderFinding } from './round.ts';

/** Findings about lists and workbooks. docs/operations.md explains the kinds; no finding repeats a bidder's name. */
export type TenderFindingKind =
  | 'ausschreibung_blatt_unbekannt'
  | 'ausschreibung_spalte_unbekannt'
  | 'ausschreibung_wert_abweichend'
  | 'ausschreibung_wert_unlesbar'
  | 'ausschreibung_zeile_geteilt'
  | 'gebotstermin_abweichend'
  | 'zuschlag_ersetzt'
  | 'zuschlag_standort_unlesbar'
  | 'zuschlag_unvollstaendig'
  | 'zuschlagsnummer_andere_runde'
  | 'zuschlagsnummer_berichtigt'
  | 'zuschlagsnummer_doppelt'
  | 'zuschlagsnummer_unlesbar';

/** Distinct remarks kept per kind and column; further ones are counted together. */
const MAX_REMARKS = 50;

export class TenderFindings {
  readonly #all = new Map<string, { -readonly [Key in keyof TenderFinding]: TenderFinding[Key] }>();
  readonly #remarks = new Map<string, number>();

  /**
   * Counts a finding.
   * @param column the column that the finding is about
   * @param example an award number, a bid date or the file
   */
  add(kind: TenderFindingKind, column: string, remark: string, example: string, count = 1): void {
    const group = `${kind}|${column}`;
    const isNew = !this.#all.has(`${group}|${remark}`);
    const remarks = this.#remarks.get(group) ?? 0;
    const kept = isNew && remarks >= MAX_REMARKS ? 'weitere' : remark;
    if (isNew) this.#remarks.set(group, remarks + 1);
    const key = `${group}|${kept}`;
    const finding = this.#all.get(key);
    if (finding !== undefined) finding.anzahl += count;
    else {
      this.#all.set(key, {
        befund: kind,
        art: 'ausschreibungen',
        feld: column,
        hinweis: kept,
        beispiel: example,
        anzahl: count,
      });
    }
  }

  /** The findings in a fixed order, so that the same file has the same list. */
  list(): TenderFinding[] {
    return [...this.#all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, finding]) => finding);
  }
}
