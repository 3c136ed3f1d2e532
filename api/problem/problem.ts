import { type Code, codeEntry } from './codes.ts';

/** Where in a request something stands: a parameter of the path or the query, a JSON pointer into the body, a header. */
export type Place = { readonly parameter: string } | { readonly pointer: string } | { readonly header: string };

/** One fault of a request: where it is, and what. */
export type Violation = { readonly code: Code; readonly detail: string } & Place;

interface Particulars {
  readonly violations?: readonly Violation[];
  /** Violations beside these, which are only counted. */
  readonly moreViolations?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** From when a retry makes sense, Unix milliseconds. */
  readonly retryAt?: number;
  readonly cause?: unknown;
}

/** A failure that the caller is told about, as a problem document (RFC 9457). */
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
 * All violations of a request in one problem; its code is that of the first.
 * @param more how many there are beside these
 */
export function violated(violations: readonly Violation[], more = 0): Problem {
  const [first] = violations;
  if (first === undefined) throw new Error('A problem of violations needs at least one');
  return new Problem(first.code, summary(violations.length, more) ?? first.detail, {
    violations,
    moreViolations: more,
  });
}

/** A sentence with the number of faults; null for one, which speaks for itself. */
function summary(told: number, more: number): string | null {
  if (more > 0) return `${told + more} faults: errors has the first ${told}, and ${more} more are not listed`;
  return told === 1 ? null : `${told} faults, see errors`;
}

/** What goes over the wire: interface.md "Errors". */
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
  /** Faults of the request beside those in `errors`; absent = none. */
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

/** The headers of a problem answer: `Retry-After` in agreement with `retryAfter`, and what the problem itself adds. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const { headers, retryAt } = problem.particulars;
  if (retryAt === undefined) return { ...headers };
  return { ...headers, 'Retry-After': String(Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))) };
}
