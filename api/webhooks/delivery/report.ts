import type { Logger } from '../../../runtime/log.ts';
import type { Settled } from './settle.ts';

/** The metrics of deliveries. */
export interface DeliveryMeter {
  /** retry = it is attempted again; failed = it is given up. */
  deliveryAttempted(outcome: 'delivered' | 'retry' | 'failed', seconds: number): void;
}

const OUTCOMES = { DELIVERED: 'delivered', PENDING: 'retry', FAILED: 'failed' } as const;

/** Counts and logs what was settled. Only ids are logged: a URL can be a secret, and an answer is a stranger's text. */
export function report({ outcomes, endpoints }: Settled, log: Logger, metrics: DeliveryMeter): void {
  for (const { attempt, outcome } of outcomes) {
    const { claim, result } = attempt;
    metrics.deliveryAttempted(OUTCOMES[outcome.state], result.ms / 1000);
    const facts = {
      organisation: claim.endpoint.organisationId,
      endpoint: claim.endpoint.id,
      event: claim.eventId,
      delivery: claim.deliveryId,
      ms: result.ms,
      status: 'status' in result ? result.status : null,
    };
    if (outcome.state === 'DELIVERED') log.debug(facts, 'webhook delivered');
    else if (outcome.delayMs === null) log.info(facts, 'webhook given up');
    else log.debug({ ...facts, retryInSeconds: Math.round(outcome.delayMs / 1000) }, 'webhook not delivered');
  }
  for (const { organisationId: organisation, endpointId: endpoint, disabledReason: reason, failing } of endpoints) {
    if (reason !== null) log.warn({ organisation, endpoint, reason }, 'webhook endpoint disabled');
    else
      log.info(
        { organisation, endpoint },
        failing ? 'webhook endpoint begins to fail' : 'webhook endpoint works again',
      );
  }
}
