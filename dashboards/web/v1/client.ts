import pLimit from 'p-limit';
import { LANGUAGE } from '../format/language.ts';
import { keepAnswers } from './kept-answers.ts';
import { type Problem, Refused, readProblem, UNREACHABLE } from './problem.ts';
import { type ApiRequest, addressOf, methodOf } from './request.ts';
import { type AskOptions, shareRequests } from './shared-requests.ts';

/** An answer of the interface. */
export interface Answer<Data, Meta = unknown> {
  readonly data: Data;
  readonly meta: Meta;
}

/** Asks the interface in the name of one key, or through one link. */
export interface Client {
  /**
   * Asks and reads the answer. What was asked within the last minutes is not asked again, nor what is on its way: several
   * figures that need one answer cost one request. A limit of a minute is waited for.
   * @throws Refused with the problem; DOMException AbortError
   */
  ask<T extends Answer<unknown>>(request: ApiRequest, options?: AskOptions): Promise<T>;
  /** Asks anew and changes something; all kept answers are forgotten then. @throws Refused */
  change<T extends Answer<unknown>>(request: ApiRequest, options?: AskOptions): Promise<T>;
}

/** The browser opens six connections to a host over HTTP/1.1; some stay free for files of pages. */
const REQUESTS_AT_A_TIME = 4;
const KEEP_MILLISECONDS = 5 * 60_000;
/** Characters of JSON; what a browser makes of them takes a few times as many bytes. */
const KEEP_CHARACTERS = 10_000_000;
/** An answer as it was read, and the characters that it had. */
interface Read {
  readonly answer: Answer<unknown>;
  readonly size: number;
}

/** A quota that begins anew next month is not waited for. */
const LONGEST_WAIT_MILLISECONDS = 2 * 60_000;
const RETRIES_OF_FAILURES = 2;
/** Nothing tells visitors of the pause after a failure: a longer one is for them to decide. */
const LONGEST_PAUSE_MILLISECONDS = 15_000;

/**
 * @param root address of the service, with a slash at the end
 * @param credentials returns the headers that say who asks
 * @param onUnauthorized is called when the key is not accepted any more
 */
export function openClient(
  root: string,
  credentials: () => Readonly<Record<string, string>>,
  onUnauthorized: (problem: Problem) => void,
): Client {
  const limit = pLimit(REQUESTS_AT_A_TIME);
  const kept = keepAnswers<Answer<unknown>>({ milliseconds: KEEP_MILLISECONDS, room: KEEP_CHARACTERS });
  const shared = shareRequests<Read>(settle);
  // Answers to what was asked before a change are not those to what is asked after it, though they may come later.
  let changes = 0;

  async function send(request: ApiRequest, { signal, idempotencyKey }: AskOptions): Promise<Response> {
    const headers: Record<string, string> = { ...credentials(), Accept: request.media ?? 'application/json' };
    if (request.body !== undefined) headers['Content-Type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    try {
      return await fetch(new URL(addressOf(request).slice(1), root), {
        method: methodOf(request),
        headers,
        // The cookie of a session goes only where it is to stand for a key.
        credentials: 'Authorization' in headers ? 'omit' : 'same-origin',
        body,
        signal: signal ?? null,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Refused(UNREACHABLE);
    }
  }

  /** Sends until there is an answer or a refusal that waiting does not change. */
  async function settle(request: ApiRequest, options: AskOptions, failures = 0): Promise<Read> {
    const { signal, onWait } = options;
    const response = await limit(() => send(request, options));
    if (response.ok) return request.media === undefined ? readAnswer(response, signal) : readBytes(response, signal);
    const problem = await readProblem(response);
    if (response.status === 401) onUnauthorized(problem);
    const until = goesOnAt(problem, failures);
    if (until === null) throw new Refused(problem);
    if (problem.status === 429) onWait?.(until);
    await pause(until - Date.now(), signal);
    return settle(request, options, problem.status === 429 ? failures : failures + 1);
  }

  return {
    async ask<T extends Answer<unknown>>(request: ApiRequest, options: AskOptions = {}) {
      const asOf = changes;
      const id = `${asOf} ${addressOf(request)} ${request.body === undefined ? '' : JSON.stringify(request.body)}`;
      const known = kept.get(id);
      if (known !== undefined) return known as T;
      const { answer, size } = await shared(id, request, options);
      if (asOf === changes) kept.put(id, answer, size);
      return answer as T;
    },
    async change<T extends Answer<unknown>>(request: ApiRequest, options: AskOptions = {}) {
      try {
        const isRepeatable = options.idempotencyKey !== undefined;
        const { answer } = await settle(request, options, isRepeatable ? 0 : RETRIES_OF_FAILURES);
        return answer as T;
      } finally {
        changes += 1;
        kept.clear();
      }
    },
  };
}

/** The time at which to ask again; null = never, the visitor decides. */
function goesOnAt({ status, retryable, retryAfter }: Problem, failures: number): number | null {
  const now = Date.now();
  if (!retryable) return null;
  if (status === 429) {
    // Other requests of this page begin at the same moment: they are spread over a second.
    const until = (retryAfter ?? now + 1000) + Math.random() * 1000;
    return until - now <= LONGEST_WAIT_MILLISECONDS ? Math.max(until, now + 250) : null;
  }
  if (failures >= RETRIES_OF_FAILURES) return null;
  const until = Math.max(now + 1000 * 2 ** failures, retryAfter ?? 0);
  return until - now <= LONGEST_PAUSE_MILLISECONDS ? until : null;
}

/** What has names in both languages: fields, signals and rules. */
interface Named {
  readonly name?: unknown;
  readonly beschreibung?: unknown;
  readonly einheit?: unknown;
  /** All of them in English. */
  readonly title?: string;
  readonly description?: string;
  readonly note?: string | null;
  readonly source?: string;
}

/** Pages read `name` and `beschreibung`, in their language. */
const inLanguage = (answer: Answer<unknown>): Answer<unknown> => {
  if (LANGUAGE === 'de' || !Array.isArray(answer.data)) return answer;
  const data = answer.data.map((entry: Named) =>
    entry?.beschreibung === undefined || entry.description === undefined
      ? entry
      : {
          ...entry,
          name: entry.title ?? entry.name,
          beschreibung: entry.description,
          ...(entry.note == null ? {} : { hinweis: entry.note }),
          ...(entry.source === undefined ? {} : { quelle: entry.source }),
          ...(entry.einheit === 'Tage' ? { einheit: 'days' } : {}),
        },
  );
  return { ...answer, data };
};

const readAnswer = (response: Response, signal: AbortSignal | undefined): Promise<Read> =>
  read(signal, async () => {
    const text = await response.text();
    return { answer: inLanguage(JSON.parse(text) as Answer<unknown>), size: text.length };
  });

const readBytes = (response: Response, signal: AbortSignal | undefined): Promise<Read> =>
  read(signal, async () => {
    const data = new Uint8Array(await response.arrayBuffer());
    return { answer: { data, meta: {} }, size: data.length };
  });

/** @throws Refused when the answer ends too early, or is none of the interface; DOMException AbortError */
async function read(signal: AbortSignal | undefined, body: () => Promise<Read>): Promise<Read> {
  try {
    return await body();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(UNREACHABLE);
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', leave);
  });
}
