import { randomUUIDv7 } from 'node:crypto';
import { type EventType, eventTurnRow, insertEvent, takeEventTurn } from '../../sql/org/alerts/events.ts';
import { MAX_ROWS_PER_QUERY } from '../../sql/org/callers.ts';
import type { Session } from '../../sql/org/store.ts';

/** An event that has happened to an organisation. */
interface Occurrence {
  readonly organisationId: string;
  readonly type: EventType;
  /** Makes what the event says, knowing its id. */
  data(eventId: string): object;
  /** The same in the form of schema version 2; null = no endpoint takes it. */
  readonly data2: ((eventId: string) => object) | null;
  /** MaStR numbers of its units, in order. Those beyond what a list delivers are not kept. */
  readonly mastrNumbers: readonly string[];
}

/**
 * Stores an event together with its deliveries, in a transaction of the operator. The payload is written once and for
 * all: deliveries and GET /v1/events have its bytes. From here until the end of the transaction, others that store an
 * event for this organisation wait. Deliveries are noticed at the next poll; whoever has committed may wake the
 * dispatcher.
 */
export async function storeEvent(
  session: Session,
  { organisationId, type, data, data2, mastrNumbers }: Occurrence,
): Promise<{ readonly id: string; readonly occurredAt: string }> {
  const turn = await session.row(eventTurnRow, takeEventTurn(organisationId));
  if (turn === null) throw new Error('The counter of events gave no number');
  const { number, at: occurredAt } = turn;
  const id = randomUUIDv7();
  const payloadOf = (said: object): string => JSON.stringify({ eventId: id, type, occurredAt, data: said });
  const [payload, payload2] = [payloadOf(data(id)), data2 === null ? null : payloadOf(data2(id))];
  const kept = mastrNumbers.slice(0, MAX_ROWS_PER_QUERY);
  await session.run(
    insertEvent({ id, organisationId, number, type, occurredAt, payload, payload2, mastrNumbers: kept }),
  );
  return { id, occurredAt };
}
