import { z } from 'zod';
import { limitsShape } from './limits.ts';
import { type StoreStatement, sql } from './statement.ts';

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
