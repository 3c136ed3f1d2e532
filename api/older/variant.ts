import type { Caller } from '../access/caller.ts';
import type { Code } from '../problem/codes.ts';
import { Problem } from '../problem/problem.ts';

/**
 * The differences of the older variant (/api/v1): who may call, how much, the codes of failures, and the headers that
 * announce its end. Steps of the chain take them from here.
 */

/** The tiers to which the variant is offered. */
export interface Tier {
  readonly name: 'PRO' | 'ENTERPRISE';
  /** Calls per minute of a key. */
  readonly calls: number;
  /** Units that the organisation may read in a calendar month. */
  readonly rows: number;
}

const PRO_MODULES = ['api', 'analysis'] as const;

/** interface.md, "Older variant": rate limits. */
const PRO: Tier = { name: 'PRO', calls: 30, rows: 50_000 };
const ENTERPRISE_CALLS = 60;

/**
 * Finds the tier: modules api and analysis make it PRO, limits of the organisation's own make it ENTERPRISE; null = neither.
 */
function tierOf({ organisation }: Caller): Tier | null {
  const { modules, limits, ownLimits } = organisation;
  if (!PRO_MODULES.every((module) => modules.has(module))) return null;
  if (!ownLimits) return PRO;
  return { name: 'ENTERPRISE', calls: Math.max(ENTERPRISE_CALLS, limits.standard), rows: limits.exportRows };
}

/** @throws Problem INSUFFICIENT_TIER */
export function mustHaveTier(caller: Caller): Tier {
  const tier = tierOf(caller);
  if (tier !== null) return tier;
  const { modules, trialEnded, trialEndsAt } = caller.organisation;
  const missing = PRO_MODULES.filter((module) => !modules.has(module)).join(' and ');
  const why = trialEnded ? `the trial ended on ${trialEndsAt}` : `the organisation lacks ${missing}`;
  const detail = `The older variant needs a Pro or Enterprise subscription (modules api and analysis): ${why}`;
  throw new Problem('INSUFFICIENT_TIER', detail);
}

/** The window in which the calls of the variant are counted, apart from those of /v1. */
export const windowOf = (caller: Caller): { readonly name: string; readonly most: number } => ({
  name: 'older',
  most: (tierOf(caller) ?? PRO).calls,
});

/** The codes of the variant, by those of the service. */
const CODES: Partial<Record<Code, Code>> = {
  INVALID_PARAMETER: 'INVALID_PARAMS',
  UNKNOWN_PARAMETER: 'INVALID_PARAMS',
  FILTER_CONFLICT: 'INVALID_PARAMS',
  INVALID_BODY: 'INVALID_PARAMS',
  RATE_LIMITED: 'RATE_LIMIT_EXCEEDED',
};

export const olderCode = (code: Code): Code => CODES[code] ?? code;

/** The header asks for `Authorization: Bearer`, which the variant does not take; for X-API-Key there is no scheme. */
const CHALLENGE = 'WWW-Authenticate';

/** Gives a problem the codes of the variant. */
export const olderProblem = (problem: Problem): Problem =>
  new Problem(olderCode(problem.code), problem.message, {
    ...problem.particulars,
    headers: Object.fromEntries(
      Object.entries(problem.particulars.headers ?? {}).filter(([name]) => name !== CHALLENGE),
    ),
    ...(problem.particulars.violations === undefined
      ? {}
      : { violations: problem.particulars.violations.map((fault) => ({ ...fault, code: olderCode(fault.code) })) }),
  });

/** The day from which the variant counts as deprecated, and the one on which it may end. */
const DEPRECATED = new Date('2026-08-11T00:00:00Z');
const SUNSET = new Date('2027-12-31T23:59:59Z');

/**
 * Makes the headers that announce the end of the variant (RFC 9745, RFC 8594), and where to go instead.
 * @param successor path of the operation that replaces it
 */
export const deprecationHeaders = (baseUrl: string, successor: string): Record<string, string> => ({
  Deprecation: `@${DEPRECATED.getTime() / 1000}`,
  Sunset: SUNSET.toUTCString(),
  Link: `<${baseUrl}${successor}>; rel="successor-version"`,
});
