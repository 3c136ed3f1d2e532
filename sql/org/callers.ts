import { z } from 'zod';
import { type StoreStatement, sql } from './statement.ts';

/** The limits of an organisation: defaults, and the ones that may differ. */

/** Cost classes with a limit of their own. */
export const LIMITED_CLASSES = ['standard', 'mutation', 'expensive'] as const;

export type LimitedClass = (typeof LIMITED_CLASSES)[number];

/** Length of the window in which calls are counted, seconds. */
export const WINDOW_SECONDS = 60;

/** Calls per calendar month where nothing else was agreed. */
export const DEFAULT_QUOTA = 100_000;

/** Rows that the pages of one query deliver in all. */
export const MAX_ROWS_PER_QUERY = 10_000;

export const MAX_PAGE_SIZE = 250;

const count = z.int().min(0).max(1_000_000_000);

/** Limits that can be set for one organisation; those left out have the default. */
export const limitsShape = z.strictObject({
  /** Calls per window and key. */
  standard: count.min(1).optional(),
  mutation: count.min(1).optional(),
  expensive: count.min(1).optional(),
  /** Limits of the application on rows and filters: kept here for it, and shown by /v1/me. */
  displayRows: count.optional(),
  exportRows: count.optional(),
  /** Alerts of the organisation, disabled ones included. */
  maxAlerts: count.optional(),
  advancedFilters: z.boolean().optional(),
  webhooksEnabled: z.boolean().optional(),
  /** True when the organisation may read the dumps under /dumps, with every field and signal. */
  dumps: z.boolean().optional(),
});

export type LimitChoices = z.infer<typeof limitsShape>;

export type Limits = { readonly [Name in keyof LimitChoices]-?: NonNullable<LimitChoices[Name]> };

export const DEFAULT_LIMITS: Limits = {
  standard: 60,
  mutation: 30,
  expensive: 12,
  displayRows: 10_000,
  exportRows: 50_000,
  maxAlerts: 20,
  advancedFilters: true,
  webhooksEnabled: true,
  dumps: false,
};

export const limitsOf = (choices: LimitChoices): Limits => ({ ...DEFAULT_LIMITS, ...choices }) as Limits;

/** A key with its organisation. */
export const callerRow = z.strictObject({
  keyId: z.uuid(),
  prefix: z.string(),
  environment: z.enum(['live', 'test']),
  secretHash: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  organisationId: z.uuid(),
  name: z.string(),
  modules: z.array(z.string()),
  signals: z.array(z.string()),
  alertTemplates: z.array(z.string()),
  limits: limitsShape,
  quota: z.int(),
  trialEndsAt: z.iso.datetime().nullable(),
});

export type CallerRow = z.infer<typeof callerRow>;

/** The key of a prefix, in at most one row: prefixes are unique. */
export const callerStatement = (prefix: string): StoreStatement => sql`
  SELECT k.id AS "keyId", k.prefix, k.environment, k.secret_hash AS "secretHash", k.scopes,
    k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
    o.id AS "organisationId", o.name, o.modules, o.signals, o.alert_templates AS "alertTemplates", o.limits, o.quota,
    o.trial_ends_at AS "trialEndsAt"
  FROM api_keys k JOIN organisations o ON o.id = k.organisation_id
  WHERE k.prefix = ${prefix}`;
