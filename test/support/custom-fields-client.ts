import { unit } from './portfolio.ts';
import { withKey } from './requests.ts';
import type { ServiceResponse, Subject } from './service.ts';

/** Custom fields and their values over HTTP. */

interface How {
  /** Idempotency-Key. */
  readonly once?: string;
  /** Query string without `?`. */
  readonly query?: string;
}

/** The fields of an organisation and their values, as it sees them itself. */
export interface OwnFields {
  definitions(): Promise<ServiceResponse>;
  /** @param number the short number of a unit of the fixture, or a whole one */
  values(number: number | string): Promise<ServiceResponse>;
  put(number: number | string, values: unknown, how?: How): Promise<ServiceResponse>;
}

/** @param key default: the service's own */
export function ownFields(service: Subject, key = service.key): OwnFields {
  const path = (number: number | string) =>
    `/v1/units/${typeof number === 'number' ? unit(number) : number}/custom-fields`;
  return {
    definitions: () => service.get('/v1/custom-fields', withKey(key)),
    values: (number) => service.get(path(number), withKey(key)),
    put: (number, values, { once, query } = {}) =>
      service.send('PUT', `${path(number)}${query === undefined ? '' : `?${query}`}`, {
        headers: {
          ...withKey(key),
          'Content-Type': 'application/json',
          ...(once === undefined ? {} : { 'Idempotency-Key': once }),
        },
        body: JSON.stringify({ values }),
      }),
  };
}

/** A value as a list shows it: without its place and time, and without the slots that its type leaves empty. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
const plain = ({ text, zahl, datum, datumsgenauigkeit }: any): unknown => {
  if (datum !== null) return datumsgenauigkeit === 'MONTH' ? datum.slice(0, 7) : datum;
  return text ?? zahl;
};

/** The plain values of a list by field: texts, numbers, days, and months as `2027-05`. */
export function valuesByField({ json }: ServiceResponse): Record<string, unknown[]> {
  const found: Record<string, unknown[]> = {};
  for (const value of json.data) found[value.defId] = [...(found[value.defId] ?? []), plain(value)];
  return found;
}
