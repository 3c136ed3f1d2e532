import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type ConnectionOptions, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { RELEASE } from '../../../runtime/release.ts';
import { type AddressPolicy, hostOf } from './address.ts';
import { retryAfterMs } from './retry-after.ts';
import { type SignedMessage, signatureHeaders } from './signature.ts';

/**
 * One attempt to deliver a message: a signed POST, bounded in time and in what is read of the answer. The receiver is a
 * stranger's machine, so whatever it does is a result and never an exception.
 */

export interface Message extends SignedMessage {
  readonly url: string;
}

export interface SendOptions {
  readonly addresses: AddressPolicy;
  /** The time for the whole attempt: to resolve, to connect, to send, and to read. Default: 15 seconds. */
  readonly timeoutMs?: number;
  /** Breaks the attempt off; its result then says so, and whether the message arrived is not known. */
  readonly signal?: AbortSignal;
}

/** The result of an attempt, and its duration in whole milliseconds. */
export type SendResult = { readonly ms: number } & (Answer | NoAnswer);

/** The receiver answered, whatever it said. */
interface Answer {
  readonly status: number;
  /** The pause that it asks for, counted from now; null = it asks for none. */
  readonly retryAfterMs: number | null;
  /** The first kilobyte of the body, as text; never decompressed. */
  readonly answer: string;
}

/** No complete answer came; the text says at which stage, and why. */
interface NoAnswer {
  readonly error: string;
}

export const TIMEOUT_MS = 15_000;

/** The most that is read of an answer; after that the connection is closed and the status counts. */
export const MAX_ANSWER_BYTES = 64 * 1024;

const KEPT_ANSWER_BYTES = 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_ERROR_LENGTH = 300;

/** Interim answers (1xx) before the final one; a receiver needs none, and their number is not bounded otherwise. */
const MAX_INTERIM = 10;

/** The longest wait for one address of a host, so that time is left for its other addresses. */
const CONNECT_TO_ADDRESS_MS = 2000;

/** The time that a receiver which has answered may take to close. */
const CLOSING_MS = 1000;

/**
 * The agent uses no proxies from the environment, as they would resolve the host themselves, unchecked. It keeps no connections
 * and TLS sessions, so that each attempt checks address and certificate anew.
 */
const AGENT = new Agent({
  keepAlive: false,
  maxCachedSessions: 0,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: CONNECT_TO_ADDRESS_MS,
});

let trust: { readonly authorities: readonly string[]; readonly context: SecureContext } | undefined;

/**
 * Returns what connections have in common: the authorities that this process trusts. To read them anew for each connection would
 * cost a fifth of an attempt. Node gives the same list until others are set.
 */
function trusted(): SecureContext {
  const authorities = getCACertificates('default');
  if (trust?.authorities !== authorities) trust = { authorities, context: createSecureContext() };
  return trust.context;
}

/** The stages of an attempt, in their order. */
const STAGES = [
  'resolving the host',
  'connecting',
  'agreeing on TLS',
  'sending the request',
  'waiting for the answer',
  'reading the answer',
] as const;

type Stage = (typeof STAGES)[number];

/** Sends a message once. Never rejects for what a receiver does, only for a secret that is none. */
export async function send(message: Message, options: SendOptions): Promise<SendResult> {
  const { addresses, timeoutMs = TIMEOUT_MS } = options;
  const headers = {
    'content-type': 'application/json',
    'user-agent': `energy-asset-data-service/${RELEASE}`,
    'accept-encoding': 'identity',
    ...signatureHeaders(message, new Date()),
  };
  const began = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  let furthest = 0;
  const reached = (stage: Stage): void => {
    furthest = Math.max(furthest, STAGES.indexOf(stage));
  };
  const result = await attempt().catch((error): NoAnswer => {
    return { error: `While ${STAGES[furthest]}: ${reasonOf(error)}` };
  });
  return { ms: Math.round(performance.now() - began), ...result };

  function reasonOf(error: unknown): string {
    if (!signal.aborted) return describe(error);
    return signal.reason === timeout.reason ? `${timeoutMs / 1000} seconds were over` : 'broken off';
  }

  async function attempt(): Promise<Answer> {
    const url = new URL(message.url);
    const checked = await addresses.resolve(url, signal);
    reached('connecting');
    const target: RequestOptions = {
      host: hostOf(url),
      port: url.port || 443,
      path: url.pathname + url.search,
      lookup: lookupOf(checked),
    };
    return post({ ...target, headers }, Buffer.from(message.body), signal, reached);
  }
}

/** Gives a socket the addresses that were checked, instead of asking again. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };

async function post(
  target: RequestOptions,
  body: Buffer,
  signal: AbortSignal,
  reached: (stage: Stage) => void,
): Promise<Answer> {
  signal.throwIfAborted();
  const options: RequestOptions & Pick<ConnectionOptions, 'secureContext'> = {
    ...target,
    method: 'POST',
    agent: AGENT,
    secureContext: trusted(),
    // Certificates are verified also where NODE_TLS_REJECT_UNAUTHORIZED is 0.
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const request = httpsRequest(options);
  const connection: { socket?: Socket } = {};
  request.once('socket', (socket) => {
    connection.socket = socket;
    socket.once('connect', () => reached('agreeing on TLS'));
    socket.once('secureConnect', () => reached('sending the request'));
  });
  request.once('finish', () => reached('waiting for the answer'));
  request.once('response', () => reached('reading the answer'));
  const { response, failure } = outcomeOf(request);
  const broken = Promise.withResolvers<never>();
  const abort = () => broken.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  request.end(body);
  let isComplete = false;
  try {
    const answer = await Promise.race([response, failure, broken.promise]);
    const bytes = await Promise.race([firstBytes(answer), failure, broken.promise]);
    isComplete = answer.complete && request.writableFinished;
    const { statusCode: status = 0, headers } = answer;
    return { status, retryAfterMs: retryAfterMs(headers['retry-after'], new Date()), answer: textOf(bytes) };
  } finally {
    signal.removeEventListener('abort', abort);
    if (isComplete) closePolitely(connection.socket);
    else {
      request.destroy();
      // After a change of protocol the socket is the request's no more.
      connection.socket?.destroy();
    }
  }
}

/** The answer to a request, and the first sign that there will be none or not all of it. */
function outcomeOf(request: ClientRequest): { response: Promise<IncomingMessage>; failure: Promise<never> } {
  const answered = Promise.withResolvers<IncomingMessage>();
  const failed = Promise.withResolvers<never>();
  let answer: IncomingMessage | undefined;
  let interim = 0;
  request.once('response', (response) => {
    answer = response;
    response.on('error', failed.reject);
    answered.resolve(response);
  });
  request.on('error', (error) => {
    // An error after a complete answer does not matter any more.
    if (!answer?.complete) failed.reject(error);
  });
  request.on('information', () => {
    interim++;
    if (interim > MAX_INTERIM) failed.reject(new Error(`more than ${MAX_INTERIM} interim answers (1xx)`));
  });
  request.on('upgrade', () => failed.reject(new Error('the receiver changes the protocol (101)')));
  return { response: answered.promise, failure: failed.promise };
}

/** Reads the body to its end, or as far as it is read. What breaks it off is told by `outcomeOf`. */
function firstBytes(response: IncomingMessage): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const finish = () => resolve(Buffer.concat(kept).subarray(0, KEPT_ANSWER_BYTES));
    response.on('data', (piece: Buffer) => {
      if (length < KEPT_ANSWER_BYTES) kept.push(piece);
      length += piece.length;
      if (length >= MAX_ANSWER_BYTES) finish();
    });
    response.on('end', finish);
  });
}

/** The agent ends a connection whose exchange is complete; a receiver that does not is given a moment. */
function closePolitely(socket: Socket | undefined): void {
  if (socket?.destroyed === false) socket.setTimeout(CLOSING_MS, () => socket.destroy());
}

/** Decodes an answer. A character that is cut off at the end is left out; a zero, which Postgres cannot store, is replaced. */
const textOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{fffd}');

/** Describes an error for the log of deliveries, in one line. A receiver may have written parts of it (in its certificate). */
function describe(error: unknown): string {
  // A host with several addresses has failed at each of them.
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const texts = new Set(errors.map(textOfError));
  return [...texts]
    .join('; ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_ERROR_LENGTH)
    .toWellFormed();
}

function textOfError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return code === null || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
