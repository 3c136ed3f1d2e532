import type { IncomingMessage } from 'node:http';
import type { Progress } from '../run/progress.ts';
import { get } from './get.ts';

/** The manners of requests to the register, and the failures that they tolerate. */
export interface FetchPolicy {
  /** Contains an address at which the operator can be reached. */
  readonly userAgent: string;
  /** Failures in a row after which a request is given up. */
  readonly attempts: number;
  /** Before a request is repeated; doubled each further time. */
  readonly pauseMs: number;
  /** After so long without a byte a connection counts as dead. */
  readonly silenceMs: number;
  readonly progress: Progress;
  /** Ends the work early: it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The server, or the way to it, failed: the same request may succeed later. */
export class TransientError extends Error {
  /** The pause that the server asks for, milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The download was given up; the message says why and what to do. */
export class FetchFailed extends Error {}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The address after all redirects. */
  readonly url: string;
  /** The body. Leaving the loop before its end closes the connection. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Closes the connection before the body has been read. */
  cancel(): void;
}

/** Statuses after which the same request may succeed; those from 500 on, too. */
const TRANSIENT_STATUSES = new Set([408, 425, 429]);

/** Remedies for statuses that do not pass. */
const REMEDIES: Readonly<Record<number, string>> = {
  403: 'The register may have blocked this address: ask it, and set EXPORT_CONTACT.',
  404: 'The register takes daily files away after some days; its download page names those there are.',
};

function remedyFor(status: number, { url, headers }: Pick<Answer, 'url' | 'headers'>): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return REMEDIES[status];
  return (
    `${url} leads on to ${location}, which was not followed: that is done ten times at most, and never from https to ` +
    'http or to what is no web address. Look at the page of the register; its new address goes into EXPORT_PAGE_URL.'
  );
}

/**
 * Asks for an address, following redirects.
 * @returns an answer with status 2xx, or 416
 * @throws TransientError, FetchFailed for a status that stays, the reason of the signal
 */
export async function ask(url: string, headers: Record<string, string>, policy: FetchPolicy): Promise<Answer> {
  const cut = new AbortController();
  const signal = policy.signal === undefined ? cut.signal : AbortSignal.any([cut.signal, policy.signal]);
  const sent = { 'User-Agent': policy.userAgent, 'Accept-Encoding': 'identity', ...headers };
  const { message, ...answer } = await heard(policy, cut, () => get(url, sent, signal));
  const { status } = answer;
  if ((status >= 200 && status < 300) || status === 416) {
    return { ...answer, pieces: piecesOf(message, policy, cut), cancel: () => cut.abort() };
  }
  cut.abort();
  if (status >= 500 || TRANSIENT_STATUSES.has(status)) {
    throw new TransientError(`the server answers ${status}`, retryAfter(answer.headers.get('retry-after')));
  }
  throw new FetchFailed([`${url} answers ${status}.`, remedyFor(status, answer)].filter(Boolean).join(' '));
}

async function* piecesOf(
  message: IncomingMessage,
  policy: FetchPolicy,
  cut: AbortController,
): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await heard(policy, cut, () => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    cut.abort();
  }
}

/** Waits for the server no longer than it may be silent; every failure becomes a TransientError. */
async function heard<T>({ silenceMs, signal }: FetchPolicy, cut: AbortController, wait: () => Promise<T>): Promise<T> {
  const timer = setTimeout(
    () => cut.abort(new TransientError(`the server is silent for ${silenceMs / 1000} s`)),
    silenceMs,
  );
  try {
    return await wait();
  } catch (error) {
    signal?.throwIfAborted();
    throw cut.signal.reason instanceof TransientError ? cut.signal.reason : new TransientError(reasonOf(error));
  } finally {
    clearTimeout(timer);
  }
}

/** An error of several addresses of a host has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return `the connection failed: ${message || code}`;
}

/** The header Retry-After in milliseconds: seconds, or a time. */
function retryAfter(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
