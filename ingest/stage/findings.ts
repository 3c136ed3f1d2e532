/**
 * Findings of reading: what was remarkable, how often, where. Kinds: docs/operations.md.
 * Everybody who reads a version reads them, so they repeat no text that may tell something of a person (decision 0002).
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

/** The text of a finding. */
export interface FindingText {
  /** The text as the export has it: only that of an element which the field table knows and which is not personal. */
  readonly raw?: string;
  /** In our words: the form of a text that is not repeated (scan/form.ts), or what is wrong. */
  readonly note?: string;
}

/** A record of a member. */
export interface Place {
  /** Its key, where it is a MaStR number or a number. */
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
  /** The first record in which it was found; for what lies between records the one behind it. */
  readonly example: string | null;
  readonly record: number;
  count: number;
}

/** Different texts and notes kept for one kind of finding in one element; further ones are counted together, without. */
const MAX_TEXTS = 100;
const MAX_TEXT_LENGTH = 200;

export class Findings {
  readonly #all = new Map<string, Finding>();
  readonly #texts = new Map<string, number>();

  add(kind: FindingKind, element: string | null, text: FindingText, place: () => Place, count = 1): void {
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
    this.#all.set(key, { kind, element, raw, note, ...place(), count });
  }

  list(): Finding[] {
    return [...this.#all.values()];
  }
}

/** The group itself where nothing is said. */
function keyOf(group: string, raw: string | null, note: string | null): string {
  if (raw !== null) return `${group}|raw|${raw}`;
  return note === null ? group : `${group}|note|${note}`;
}
