/**
 * Looks for texts in code units and remembers where they were not. So a closing that is missing is looked for once, not
 * once for each opening: thousands of `<?` without a `?>` take no longer to read than one.
 */
export class Search {
  /** By text: it begins nowhere in `[from, to)`. */
  readonly #absent = new Map<string, { from: number; to: number }>();

  /** Position after the next occurrence of `text` in `units[at, end)`; -1 when there is none. */
  after(text: string, units: Uint16Array, at: number, end: number): number {
    const absent = this.#absent.get(text);
    const known = absent !== undefined && at >= absent.from && at <= absent.to;
    const found = indexOf(text, units.subarray(0, end), known ? absent.to : at);
    if (found >= 0) return found + text.length;
    const to = Math.max(at, end - text.length + 1, known ? absent.to : 0);
    this.#absent.set(text, { from: known ? absent.from : at, to });
    return -1;
  }

  /** All units move towards the beginning. */
  shift(by: number): void {
    for (const absent of this.#absent.values()) {
      absent.from -= by;
      absent.to -= by;
    }
  }
}

function indexOf(text: string, units: Uint16Array, from: number): number {
  const head = text.charCodeAt(0);
  for (let start = from; ; start++) {
    start = units.indexOf(head, start);
    if (start < 0 || start + text.length > units.length) return -1;
    let same = 1;
    while (same < text.length && units[start + same] === text.charCodeAt(same)) same++;
    if (same === text.length) return start;
  }
}
