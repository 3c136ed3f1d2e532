import { describe, expect, test } from 'vitest';
import { type AskOptions, shareRequests } from '../../dashboards/web/v1/shared-requests.ts';

const PATH = { path: '/v1/datasets' };

/** Requests that are answered by hand. */
function sender() {
  const sent: { options: AskOptions; answer: (text: string) => void; refuse: (error: Error) => void }[] = [];
  const ask = shareRequests<string>(
    (_, options) =>
      new Promise((answer, refuse) => {
        options.signal?.addEventListener('abort', () => refuse(new Error('broken off')));
        sent.push({ options, answer, refuse });
      }),
  );
  return { sent, ask };
}

describe('requests on their way', () => {
  test('are shared by all who ask the same, and asked anew once they are answered', async () => {
    const { sent, ask } = sender();
    const both = [ask('a', PATH, {}), ask('a', PATH, {}), ask('b', PATH, {})];
    expect(sent).toHaveLength(2);
    sent[0]?.answer('first');
    sent[1]?.answer('other');
    expect(await Promise.all(both)).toEqual(['first', 'first', 'other']);
    void ask('a', PATH, {});
    expect(sent).toHaveLength(3);
  });

  test('are broken off when nobody wants them any more, and not before', async () => {
    const { sent, ask } = sender();
    const [one, two] = [new AbortController(), new AbortController()];
    const asked = [ask('a', PATH, { signal: one.signal }), ask('a', PATH, { signal: two.signal })];
    one.abort();
    await expect(asked[0]).rejects.toThrow();
    expect(sent[0]?.options.signal?.aborted).toBe(false);
    two.abort();
    await expect(asked[1]).rejects.toThrow();
    expect(sent[0]?.options.signal?.aborted).toBe(true);
    void ask('a', PATH, {});
    expect(sent).toHaveLength(2);
    await expect(ask('c', PATH, { signal: one.signal })).rejects.toThrow();
    expect(sent).toHaveLength(2);
  });

  test('fail for everybody, and tell everybody what they wait for, also those who come later', async () => {
    const { sent, ask } = sender();
    const until = Date.now() + 60_000;
    const heard: string[] = [];
    const asked = [ask('a', PATH, { onWait: (at) => heard.push(`first ${at}`) })];
    sent[0]?.options.onWait?.(until);
    asked.push(ask('a', PATH, { onWait: (at) => heard.push(`second ${at}`) }));
    expect(heard).toEqual([`first ${until}`, `second ${until}`]);
    sent[0]?.refuse(new Error('refused'));
    for (const answer of asked) await expect(answer).rejects.toThrow('refused');
  });
});
