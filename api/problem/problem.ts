import { type Code, codeEntry } from './codes.ts';

/** The location of a fault in a request: a parameter of the path or the query, a JSON pointer into the body, a header. */
export type FaultLocation = { readonly parameter: string } | { readonly pointer: string } | { readonly header: string };

/** One fault of a request. */
export type Violation = { readonly code: Code; readonly detail: string } & FaultLocation;

interface Particulars {
  readonly violations?: readonly Violation[];
  /** Number of further violations, which are not listed. */
  readonly moreViolations?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time from which a retry makes sense, Unix milliseconds. */
  readonly retryAt?: number;
  readonly cause?: unknown;
}

/** A failure that the caller receives as a problem document (RFC 9457). */
export class Problem extends Error {
  readonly code: Code;
  readonly particulars: Particulars;

  constructor(code: Code, detail: string, particulars: Particulars = {}) {
    super(detail, { cause: particulars.cause });
    this.name = 'Problem';
    this.code = code;
    this.particulars = particulars;
  }
}

/**
 * Puts all violations of a request into one problem; its code is that of the first.
 * @param more number of further violations
 */
export function violated(violations: readonly Violation[], more = 0): Problem {
  const [first] = violations;
  if (first === undefined) throw new Error('A problem of violations needs at least one');
  return new Problem(first.code, summary(violations.length, more) ?? first.detail, {
    violations,
    moreViolations: more,
  });
}

/** Says how many faults there are; null for a single one, whose detail says all. */
function summary(reported: number, more: number): string | null {
  if (more > 0) return `${reported + more} faults: errors has the first ${reported}, and ${more} more are not listed`;
  return reported === 1 ? null : `${reported} faults, see errors`;
}

/** The document as the caller receives it: interface.md "Errors". */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: Code;
  readonly detail: string;
  readonly instance: string;
  readonly retryable: boolean;
  /** Unix milliseconds. */
  readonly retryAfter?: number;
  readonly errors?: readonly Violation[];
  /** Number of faults that `errors` does not list; absent = none. */
  readonly moreErrors?: number;
}

/** @param instance the request id */
export function problemDocument(problem: Problem, baseUrl: string, instance: string): ProblemDocument {
  const { status, title, retryable = false } = codeEntry(problem.code);
  const { retryAt, violations, moreViolations = 0 } = problem.particulars;
  return {
    type: `${baseUrl}/docs/errors#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    instance,
    retryable,
    ...(retryAt === undefined ? {} : { retryAfter: retryAt }),
    ...(violations === undefined ? {} : { errors: violations }),
    ...(moreViolations === 0 ? {} : { moreErrors: moreViolations }),
  };
}

/** Makes the headers of a problem document: `Retry-After` in agreement with `retryAfter`, and those of the problem itself. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const { headers, retryAt } = problem.particulars;
  if (retryAt === undefined) return { ...headers };
  return { ...headers, 'Retry-After': String(Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))) };
}

/** Faults that one answer reports: more would not help, and each costs its text and the search for what was meant. */
const MAX_REPORTED = 50;

/** The faults of one request: the first of them are reported, all of them counted. */
export interface Faults {
  /** @param describe makes the violation; not called for a fault that is only counted */
  add(describe: () => Violation): void;
  /** @throws Problem with the faults, if there are any */
  throwAny(): void;
}

export function faultsOfRequest(): Faults {
  const reported: Violation[] = [];
  let count = 0;
  return {
    add(describe) {
      count++;
      if (reported.length < MAX_REPORTED) reported.push(describe());
    },
    throwAny() {
      if (count > 0) throw violated(reported, count - reported.length);
    },
  };
}
