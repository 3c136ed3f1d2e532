import { withKey } from './requests.ts';
import type { ServiceResponse, Subject } from './service.ts';

interface How {
  /** Idempotency-Key. */
  readonly once?: string;
  /** Query string without `?`. */
  readonly query?: string;
}

export interface SharedFields {
  list(query?: string): Promise<ServiceResponse>;
  answer(antworten: unknown, how?: How): Promise<ServiceResponse>;
}

/** Reads and answers shared fields of a connection with the key of an organisation, over HTTP. */
export function sharedFieldsOf(service: Subject, key: string, connectionId: string): SharedFields {
  const path = (query?: string) =>
    `/v1/connections/${connectionId}/shared-fields${query === undefined ? '' : `?${query}`}`;
  return {
    list: (query) => service.get(path(query), withKey(key)),
    answer: (antworten, { once, query } = {}) =>
      service.send('POST', path(query), {
        headers: {
          ...withKey(key),
          'Content-Type': 'application/json',
          ...(once === undefined ? {} : { 'Idempotency-Key': once }),
        },
        body: JSON.stringify({ antworten }),
      }),
  };
}
