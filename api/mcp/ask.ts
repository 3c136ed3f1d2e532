/** The interface as a caller sees it: a path with its query goes in, the answer comes back, whatever its status is. */
export type Ask = (path: string) => Promise<Answer>;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Longer than any question takes that the interface does not refuse. */
const TIMEOUT_MILLISECONDS = 60_000;

/** @param url address of the service, without a slash at the end @param headers what stands for the key of the caller */
export const askAt =
  (url: string, headers: Readonly<Record<string, string>>): Ask =>
  async (path) => {
    const response = await fetch(`${url}${path}`, {
      headers: { ...headers, accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      redirect: 'error',
    });
    return { status: response.status, body: await response.json() };
  };
