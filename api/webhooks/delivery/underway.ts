import pLimit from 'p-limit';
import type { EndpointRow } from '../../../sql/org/webhooks/endpoints.ts';
import type { Underway } from './agenda.ts';

/**
 * The attempts that are under way. An attempt begins in a place and leaves it when it ends, or after a moment if it has not
 * ended by then; the rest of its time it needs no place. So each place is free again after a moment at the latest, however
 * many receivers hang, and at once there are at most as many attempts as places, times the moments that an attempt can last.
 */
export interface Attempts extends Underway {
  /** Places that are free: as many attempts can begin now. */
  free(): number;
  count(): number;
  /** Begins an attempt. @param run ends soon after its signal, and never rejects */
  begin(endpoint: Pick<EndpointRow, 'id' | 'organisationId'>, run: (signal: AbortSignal) => Promise<void>): void;
  /** Waits until none is under way. */
  idle(): Promise<void>;
  breakOff(): void;
}

/** @param changed is called whenever a place is free again, and when an attempt has ended */
export function openAttempts(places: number, placeMs: number, changed: () => void): Attempts {
  const inPlace = pLimit(places);
  const organisations = new Map<string, number>();
  const endpoints = new Map<string, number>();
  const running = new Map<Promise<void>, AbortController>();
  return {
    free: () => places - inPlace.activeCount - inPlace.pendingCount,
    count: () => running.size,
    ofOrganisation: (id) => organisations.get(id) ?? 0,
    ofEndpoint: (id) => endpoints.get(id) ?? 0,
    begin({ id, organisationId }, run) {
      const controller = new AbortController();
      add(organisations, organisationId, 1);
      add(endpoints, id, 1);
      const ended: Promise<void> = run(controller.signal).finally(() => {
        running.delete(ended);
        add(organisations, organisationId, -1);
        add(endpoints, id, -1);
        changed();
      });
      running.set(ended, controller);
      void inPlace(() => endOrMoment(ended, placeMs)).then(changed);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.keys());
    },
    breakOff() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

function add(counts: Map<string, number>, id: string, change: number): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}

async function endOrMoment(ended: Promise<void>, ms: number): Promise<void> {
  const moment = Promise.withResolvers<void>();
  const timer = setTimeout(moment.resolve, ms);
  await Promise.race([ended, moment.promise]);
  clearTimeout(timer);
}
