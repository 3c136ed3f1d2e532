/** Times in expected answers: the model knows only at which of its steps something changed. */

/** Stands in an expected answer where a time of the service belongs. */
export class Time {
  /** Everything that must show this very time has the same name. */
  readonly what: string;
  /** The step of the last change. */
  readonly step: number;

  constructor(what: string, step: number) {
    this.what = what;
    this.step = step;
  }
}

/** Remembers the times that answers showed: one that nothing moved stays, one that was moved is later. */
export class Times {
  readonly #seen = new Map<string, { readonly step: number; readonly text: string }>();

  /**
   * Puts the shown time in the place of each expected one that it fits, so that the two answers compare as equal; where
   * it does not fit, a text that says what was expected.
   */
  fill(expected: unknown, shown: unknown): unknown {
    if (expected instanceof Time) return this.#fit(expected, shown);
    if (Array.isArray(expected)) return expected.map((each, index) => this.fill(each, Object(shown)[index]));
    if (typeof expected !== 'object' || expected === null) return expected;
    return Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [name, this.fill(value, Object(shown)[name])]),
    );
  }

  #fit({ what, step }: Time, shown: unknown): unknown {
    if (typeof shown !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(shown)) return 'a time';
    const before = this.#seen.get(what);
    if (before?.step === step) return before.text;
    if (before !== undefined && shown <= before.text) return `later than ${before.text}`;
    this.#seen.set(what, { step, text: shown });
    return shown;
  }
}
