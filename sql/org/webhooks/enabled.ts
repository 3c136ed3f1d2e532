import { DEFAULT_LIMITS } from '../callers.ts';
import { type StoreStatement, sql } from '../statement.ts';

/**
 * Tells in SQL whether an organisation may use webhooks; its deliveries wait otherwise, as those of disabled endpoints do.
 * @param limits the column `limits` of the organisation
 */
export const webhooksEnabled = (limits: StoreStatement): StoreStatement =>
  sql`coalesce((${limits} ->> 'webhooksEnabled')::boolean, ${DEFAULT_LIMITS.webhooksEnabled})`;
