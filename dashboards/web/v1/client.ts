import pLimit from 'p-limit';
import { type Problem, Refused, readProblem, UNREACHABLE } from './problem.ts';
import { type ApiRequest, addressOf, methodOf } from './request.ts';
import { type AskOptions, shareRequests } from './shared-requests.ts';

/** An answer of the interface. */
export interface Answer<Data, Meta = unknown> {
  readonly data: Data;
  readonly meta: Meta;
}

/** Asks the interface in the name of one key. */
export interface Client {
  /**
   * Asks and reads the answer. What was asked within the last minutes is not asked again, nor what is on its way: several
   * figures that need one answer cost one request. A limit of a minute is waited for.
   * @throws Refused with the problem; DOMException AbortError
   */
  ask<T extends Answer<unknown>>(request: ApiRequest, options?: AskOptions): Promise<T>;
  /** Asks anew and changes something; all kept answers are forgotten then. @throws Refused */
  change<T extends Answer<unknown>>(request: ApiRequest, options?: AskOptions): Promise<T>;
  /** Forgets kept answers. */
  forget(): void;
}

/** The browser opens six connections to a host over HTTP/1.1; some stay free for files of pages. */
const REQUESTS_AT_A_TIME = 4;
const KEEP_MILLISECONDS = 5 * 60_000;
const KEEP_ANSWERS = 200;
/** A quota that begins anew next month is not waited for. */
const LONGEST_WAIT_MILLISECONDS = 2 * 60_000;
const RETRIES_OF_FAILURES = 2;

/**
 * @param root address of the service, with a slash at the end
 * @param onUnauthorized is called when the key is not accepted any more
 */
export function openClient(root: string, key: string, onUnauthorized: (problem: Problem) => void): Client {
  const limit = pLimit(REQUESTS_AT_A_TIME);
  const kept = new Map<string, { readonly at: number; readonly answer: Answer<unknown> }>();
  const shared = shareRequests<Answer<unknown>>(settle);

  async function send(request: ApiRequest, { signal, idempotencyKey }: AskOptions): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}`, Accept: 'application/json' };
    if (request.body !== undefined) headers['Content-Type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    try {
      return await fetch(new URL(addressOf(request).slice(1), root), {
        method: methodOf(request),
        headers,
        body,
        signal: signal ?? null,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Refused(UNREACHABLE);
    }
  }

  /** Sends until there is an answer or a refusal that waiting does not change. */
  async function settle(request: ApiRequest, options: AskOptions, failures = 0): Promise<Answer<unknown>> {
    const { signal, onWait } = options;
    const response = await limit(() => send(request, options));
    if (response.ok) return (await response.json()) as Answer<unknown>;
    const problem = await readProblem(response);
    if (response.status === 401) onUnauthorized(problem);
    const until = goesOnAt(problem, failures);
    if (until === null) throw new Refused(problem);
    onWait?.(until, problem);
    await pause(until - Date.now(), signal);
    return settle(request, options, problem.status === 429 ? failures : failures + 1);
  }

  return {
    async ask<T extends Answer<unknown>>(request: ApiRequest, options: AskOptions = {}) {
      const id = `${addressOf(request)} ${request.body === undefined ? '' : JSON.stringify(request.body)}`;
      const known = kept.get(id);
      if (known !== undefined && Date.now() - known.at < KEEP_MILLISECONDS) return known.answer as T;
      const answer = await shared(id, request, options);
      kept.delete(id);
      kept.set(id, { at: Date.now(), answer });
      for (const oldest of kept.keys()) {
        if (kept.size <= KEEP_ANSWERS) break;
        kept.delete(oldest);
      }
      return answer as T;
    },
    async change<T extends Answer<unknown>>(request: ApiRequest, options: AskOptions = {}) {
      try {
        const isRepeatable = options.idempotencyKey !== undefined;
        return (await settle(request, options, isRepeatable ? 0 : RETRIES_OF_FAILURES)) as T;
      } finally {
        kept.clear();
      }
    },
    forget() {
      kept.clear();
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
  return failures < RETRIES_OF_FAILURES ? now + 1000 * 2 ** failures : null;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
