/** Findings of reading: what was remarkable, how often, with its raw text. Kinds: docs/operations.md. */

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

export interface Finding {
  readonly kind: FindingKind;
  readonly element: string | null;
  /** The text as the export has it, at most 200 characters. */
  readonly raw: string | null;
  /** Key of the first record in which it was found. */
  readonly example: string | null;
  count: number;
}

/** Different texts kept for one kind of finding in one element; further ones are counted together, without a text. */
const MOST_TEXTS = 100;
const LONGEST_TEXT = 200;

export class Findings {
  readonly #all = new Map<string, Finding>();
  readonly #texts = new Map<string, number>();

  add(kind: FindingKind, element: string | null, raw: string | null, example: () => string | null, count = 1): void {
    let text = raw === null ? null : raw.slice(0, LONGEST_TEXT);
    const group = `${kind}|${element}`;
    let finding = this.#all.get(keyOf(group, text));
    if (finding === undefined && text !== null) {
      const texts = this.#texts.get(group) ?? 0;
      if (texts >= MOST_TEXTS) {
        text = null;
        finding = this.#all.get(keyOf(group, text));
      } else this.#texts.set(group, texts + 1);
    }
    if (finding !== undefined) {
      finding.count += count;
      return;
    }
    this.#all.set(keyOf(group, text), { kind, element, raw: text, example: example(), count });
  }

  list(): Finding[] {
    return [...this.#all.values()];
  }
}

const keyOf = (group: string, text: string | null): string => (text === null ? group : `${group}|${text}`);
