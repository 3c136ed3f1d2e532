import type { Caller } from '../access/caller.ts';
import { Problem } from '../problem/problem.ts';

/**
 * Refuses a call after which more would be delivered, or elsewhere, or with another signature.
 * @throws Problem MISSING_MODULE for an organisation without webhooks, which may look at its endpoints, disable and delete them
 */
export function requireWebhooks({ organisation }: Caller): void {
  if (organisation.limits.webhooksEnabled) return;
  const detail =
    'Webhooks are not enabled for the organisation: GET /v1/me shows limits.webhooksEnabled false. Its endpoints can be ' +
    'read, described, disabled and deleted; nothing is delivered. Events stay readable with GET /v1/events';
  throw new Problem('MISSING_MODULE', detail);
}
