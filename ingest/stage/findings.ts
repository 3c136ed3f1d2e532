/**
 * Findings of reading an export: what was remarkable, how often, and where. docs/operations.md explains the kinds.
 * Findings are as public as the version itself, so they repeat no text that may be personal (decision 0002).
 */

export type FindingKind =
  | 'datensatz_nicht_wohlgeformt'
  | 'schluessel_fehlt'
  | 'schluessel_ungueltig'
  | 'wert_unlesbar'
  | 'tag_unplausibel'
  | 'katalog_id_unbekannt'
  | 'element_unbekannt'
  | 'zeichen_verboten'
  | 'wert_trotz_nv'
  | 'struktur_unerwartet';

export interface FindingText {
  /** The text as the export has it. Allowed only for elements that the field table knows and that are not personal. */
  readonly raw?: string;
  /** Our description: the form of a text that must not be repeated (scan/form.ts), or what is wrong. */
  readonly note?: string;
}

/** Identifies a record within a member. */
export interface RecordLocation {
  /** Its key, when that is a MaStR number or a plain number. */
  readonly example: string | null;
  /** Its number in the member, from 1. */
  readonly record: number;
}

export interface Finding {
  readonly kind: FindingKind;
  readonly element: string | null;
  /** At most 200 characters. */
  readonly raw: string | null;
  readonly note: string | null;
  /** The first record in which it was found; for content between two records, the record after it. */
  readonly example: string | null;
  readonly record: number;
  count: number;
}

/** Distinct texts and notes kept per kind of finding and element; further ones are counted together without their text. */
const MAX_TEXTS = 100;
const MAX_TEXT_LENGTH = 200;

export class Findings {
  readonly #all = new Map<string, Finding>();
  readonly #texts = new Map<string, number>();

  add(kind: FindingKind, element: string | null, text: FindingText, locate: () => RecordLocation, count = 1): void {
    const group = `${kind}|${element}`;
    let raw = text.raw?.slice(0, MAX_TEXT_LENGTH) ?? null;
    let note = text.note ?? null;
    let key = keyOf(group, raw, note);
    let finding = this.#all.get(key);
    if (finding === undefined && key !== group) {
      const texts = this.#texts.get(group) ?? 0;
      if (texts >= MAX_TEXTS) {
        raw = null;
        note = null;
        key = group;
        finding = this.#all.get(key);
      } else this.#texts.set(group, texts + 1);
    }
    if (finding !== undefined) {
      finding.count += count;
      return;
    }
    this.#all.set(key, { kind, element, raw, note, ...locate(), count });
  }

  list(): Finding[] {
    return [...this.#all.values()];
  }
}

/** The key of a finding without text or note is the group itself. */
function keyOf(group: string, raw: string | null, note: string | null): string {
  if (raw !== null) return `${group}|raw|${raw}`;
  return note === null ? group : `${group}|note|${note}`;
}
