import { expect } from 'vitest';
import { withKey } from './requests.ts';
import type { ServiceResponse, Subject } from './service.ts';

/** A portfolio as its organisation sees it, over HTTP. */

/** MaStR number of a unit of the fixture, which has 1 to 36; the register knows none beyond. */
export const unit = (number: number): string => `SEE${String(900_000_000_000 + number)}`;

/** An entry to write, unless a test wants it otherwise. */
export const entry = (number: number, more: object = {}) => ({
  mastrNummer: unit(number),
  relationType: 'OPERATOR',
  ...more,
});

interface How {
  /** Idempotency-Key. */
  readonly once?: string;
  /** Query string without `?`. */
  readonly query?: string;
}

export interface Portfolio {
  put(entries: unknown, how?: How): Promise<ServiceResponse>;
  remove(mastrNummern: unknown, how?: How): Promise<ServiceResponse>;
  list(query?: string): Promise<ServiceResponse>;
}

/** @param key default: the service's own */
export function portfolioOf(service: Subject, key = service.key): Portfolio {
  const write = (method: string, body: object, { once, query }: How = {}) =>
    service.send(method, `/v1/portfolio${query === undefined ? '' : `?${query}`}`, {
      headers: {
        ...withKey(key),
        'Content-Type': 'application/json',
        ...(once === undefined ? {} : { 'Idempotency-Key': once }),
      },
      body: JSON.stringify(body),
    });
  return {
    put: (entries, how) => write('POST', { entries }, how),
    remove: (mastrNummern, how) => write('DELETE', { mastrNummern }, how),
    list: (query = '') => service.get(`/v1/portfolio${query === '' ? '' : `?${query}`}`, withKey(key)),
  };
}

/** Status of each row of a write. */
export const rowStatuses = ({ json }: ServiceResponse): string[] =>
  json.data.map(({ status }: { status: string }) => status);

/** Short numbers of the entries of a list. */
export const listed = ({ json }: ServiceResponse): number[] =>
  json.data.map(({ mastrNummer }: { mastrNummer: string }) => Number(mastrNummer.slice(3)) - 900_000_000_000);

/** Headers that differ from answer to answer. */
const OWN_TO_EACH = ['x-request-id', 'ratelimit', 'date', 'server-timing', 'idempotency-replayed'];

const headersOf = ({ headers }: ServiceResponse) => [...headers].filter(([name]) => !OWN_TO_EACH.includes(name));

export const isReplay = ({ headers }: ServiceResponse): boolean => headers.get('idempotency-replayed') === 'true';

/** Expects the answer of the first call once more, and not another execution. */
export function expectReplay(again: ServiceResponse, first: ServiceResponse): void {
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect([again.status, again.text, headersOf(again)]).toEqual([first.status, first.text, headersOf(first)]);
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
}

/** Numbers of all entries, removed ones included, in order. */
export const allNumbers = async (of: Portfolio) => listed(await of.list('includeDeleted=true&limit=250')).sort();
