import type { Answer } from './client.ts';
import type { ListMeta } from './tender-answers.ts';

/** The data of an organisation, as far as pages read them; test/dashboards/answers.ts holds these types to real answers. */

export interface PortfolioEntry {
  readonly id: string;
  readonly mastrNummer: string;
  readonly relationType: string;
  readonly externalRefs: Readonly<Record<string, string>>;
  readonly angelegtAm: string;
  readonly geaendertAm: string;
  /** null = it is in the portfolio. */
  readonly entferntAm: string | null;
}

export type PortfolioList = Answer<readonly PortfolioEntry[], ListMeta>;

/** The outcome of a row of a write. */
export interface WrittenRow {
  readonly id: string | null;
  readonly externalId: string | null;
  /** `created`, `updated`, `unchanged`, `failed`. */
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export type WriteAnswer = Answer<
  readonly WrittenRow[],
  {
    readonly total: number;
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly failed: number;
    readonly dryRun: boolean;
  }
>;

export interface AlertEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: {
    readonly alert: { readonly id: string; readonly name: string; readonly template: string };
    readonly matchCount: number;
    readonly matches: readonly { readonly mastrNummer: string }[];
    readonly truncated: boolean;
    readonly resultsUrl: string;
  };
}

export type EventList = Answer<readonly AlertEvent[], ListMeta & { readonly retentionDays: number }>;

/** What the organisation wants to be told of. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  readonly template: string;
  readonly signals: readonly string[];
  /** Names of fields. */
  readonly fields: readonly string[];
  /** null = those of the saved filter. */
  readonly criteria: Criteria | null;
  readonly savedFilterId: string | null;
  readonly enabled: boolean;
  /** Why it cannot be evaluated, in English; null = it can. */
  readonly fault: string | null;
  readonly createdAt: string;
}

export type AlertAnswer = Answer<Alert>;

export interface ListedAlert extends Alert {
  /** E-mail addresses that it tells; null = they cannot be read at the moment. */
  readonly emails: readonly string[] | null;
}

export type AlertList = Answer<readonly ListedAlert[], { readonly count: number; readonly sendsEmails: boolean }>;

export interface AlertRun {
  readonly datasetVersion: string;
  readonly evaluatedAt: string;
  readonly outcome: 'NO_MATCH' | 'FIRED' | 'FAULTY';
  readonly matchCount: number;
  readonly fault: string | null;
  readonly eventId: string | null;
  /** null = it fired nothing, or what it fired is forgotten. */
  readonly webhooks: {
    readonly delivered: number;
    readonly pending: number;
    readonly failed: number;
    readonly skipped: number;
  } | null;
  readonly emails: {
    readonly sent: number;
    readonly waiting: number;
    readonly failed: number;
    readonly error: string | null;
  };
}

export type AlertRunList = Answer<readonly AlertRun[], { readonly count: number }>;

export interface AlertTest {
  /** Units that meet its filter now. */
  readonly matchCount: number;
  readonly matches: readonly { readonly mastrNummer: string }[];
  readonly sent: readonly {
    readonly to: string;
    readonly endpointId: string | null;
    readonly arrived: boolean;
    readonly error: string | null;
  }[];
}

/** Unit filters as the body of a request has them. */
export type Criteria = Readonly<Record<string, unknown>>;

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
  /** 2: its events say what changed. */
  readonly schemaVersion: number;
  readonly disabled: boolean;
  /** Only where the service itself has disabled it: `GONE`, `FAILING`. */
  readonly disabledReason?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type EndpointList = Answer<readonly Endpoint[], { readonly count: number }>;

/** A public link to a view. */
export interface Share {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly pictureUrl: string;
  readonly frameAncestors: readonly string[];
  /** `live`, `ended`, `revoked`. */
  readonly state: string;
  readonly endsOn: string;
  readonly views: number;
  readonly calls: number;
  readonly lastUsedAt: string | null;
}

export type ShareAnswer = Answer<Share>;

export type ShareList = Answer<readonly Share[], { readonly count: number }>;

export type PortalLink = Answer<{ readonly url: string; readonly expiresAt: string }>;

export type Usage = Answer<{
  readonly period: { readonly start: string; readonly end: string };
  readonly requests: {
    readonly used: number;
    readonly limit: number;
    readonly remaining: number;
    /** `ok`, `warning`, or one that says that nothing is left. */
    readonly state: string;
  };
  readonly rateLimit: {
    readonly window: string;
    readonly perCostClass: { readonly standard: number; readonly mutation: number; readonly expensive: number };
  };
}>;
