import type { IncomingMessage } from 'node:http';
import type { Progress } from '../run/progress.ts';
import { get } from './get.ts';

/** Requests to the register identify themselves, wait and are repeated as this says. */
export interface FetchPolicy {
  /** Contains an address at which the operator can be reached. */
  readonly userAgent: string;
  /** Consecutive failures after which a request is given up. */
  readonly attempts: number;
  /** Pause before a request is repeated, milliseconds; doubled each time. */
  readonly pauseMs: number;
  /** Milliseconds without a byte after which a connection counts as dead. */
  readonly idleTimeoutMs: number;
  readonly progress: Progress;
  /** Aborts the work, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The server or the connection failed; the same request may succeed later. */
export class TransientError extends Error {
  /** The pause that the server asks for, milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The download was given up; the message says why and what to do. */
export class FetchFailed extends Error {}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The address after all redirects. */
  readonly url: string;
  /** The body. Ending the iteration early closes the connection. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Closes the connection before the body has been read. */
  cancel(): void;
}

/** Statuses besides those from 500 on after which the same request may succeed later. */
const TRANSIENT_STATUSES = new Set([408, 425, 429]);

/** Remedies for permanent failures, by status. */
const REMEDIES: Readonly<Record<number, string>> = {
  403: 'The register may have blocked this address: ask it, and set EXPORT_CONTACT.',
  404: 'The register takes daily files away after some days; its download page names those there are.',
};

function remedyFor(status: number, { url, headers }: Pick<HttpResponse, 'url' | 'headers'>): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return REMEDIES[status];
  return (
    `${url} leads on to ${location}, which was not followed: that is done ten times at most, and never from https to ` +
    'http or to what is no web address. Look at the page of the register; its new address goes into EXPORT_PAGE_URL.'
  );
}

/**
 * Requests an address, following redirects.
 * @returns a response with status 2xx or 416
 * @throws TransientError, FetchFailed for a permanent failure, the reason of the signal
 */
export async function sendRequest(
  url: string,
  headers: Record<string, string>,
  policy: FetchPolicy,
): Promise<HttpResponse> {
  const controller = new AbortController();
  const signal = policy.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, policy.signal]);
  const sent = { 'User-Agent': policy.userAgent, 'Accept-Encoding': 'identity', ...headers };
  const { message, ...response } = await withIdleTimeout(policy, controller, () => get(url, sent, signal));
  const { status } = response;
  if ((status >= 200 && status < 300) || status === 416) {
    return { ...response, pieces: piecesOf(message, policy, controller), cancel: () => controller.abort() };
  }
  controller.abort();
  if (status >= 500 || TRANSIENT_STATUSES.has(status)) {
    throw new TransientError(`the server answers ${status}`, retryAfter(response.headers.get('retry-after')));
  }
  throw new FetchFailed([`${url} answers ${status}.`, remedyFor(status, response)].filter(Boolean).join(' '));
}

async function* piecesOf(
  message: IncomingMessage,
  policy: FetchPolicy,
  controller: AbortController,
): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withIdleTimeout(policy, controller, () => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    controller.abort();
  }
}

/** Limits how long the server may stay silent; every failure becomes a TransientError. */
async function withIdleTimeout<T>(
  { idleTimeoutMs, signal }: FetchPolicy,
  controller: AbortController,
  wait: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(
    () => controller.abort(new TransientError(`the server is silent for ${idleTimeoutMs / 1000} s`)),
    idleTimeoutMs,
  );
  try {
    return await wait();
  } catch (error) {
    signal?.throwIfAborted();
    throw controller.signal.reason instanceof TransientError
      ? controller.signal.reason
      : new TransientError(reasonOf(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Describes an error; one that covers several addresses of a host has a code but no message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return `the connection failed: ${message || code}`;
}

/** Converts the header Retry-After, which is a number of seconds or a time, to milliseconds. */
function retryAfter(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
