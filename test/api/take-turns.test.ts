import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../api/chain/context.ts';
import { limitConcurrency } from '../../api/chain/limit-concurrency.ts';
import { operationsOf } from '../../api/operations.ts';

const exchangeFor = (id: string): Context => {
  const operation = operationsOf({ OLDER_API: 'on' }).find((one) => one.id === id);
  expect(operation, id).toBeDefined();
  return { state: { operation } } as Context;
};

const FILES = 50;

describe('many who ask for a public file at once', () => {
  it('get theirs a few in each turn of the event loop', async () => {
    const step = limitConcurrency();
    let answered = 0;
    const all = Array.from({ length: FILES }, () =>
      step(exchangeFor('docs.file'), async () => {
        answered++;
      }),
    );
    for (let before = 0; answered < FILES; before = answered) {
      await nextTurn();
      expect(answered - before).toBeLessThanOrEqual(4);
    }
    await Promise.all(all);
  });

  it.each(['units.list', 'health.show', 'me.show'])('keep nobody waiting who asks for %s', async (id) => {
    const step = limitConcurrency();
    let answered = 0;
    const files = Array.from({ length: FILES }, () =>
      step(exchangeFor('docs.file'), async () => {
        answered++;
      }),
    );
    await step(exchangeFor(id), async () => {});
    expect(answered).toBeLessThanOrEqual(2);
    await Promise.all(files);
  });

  it('leave their place when one of them fails', async () => {
    const step = limitConcurrency();
    const failing = () => step(exchangeFor('docs.file'), () => Promise.reject(new Error('gone')));
    await Promise.all(Array.from({ length: 5 }, () => expect(failing()).rejects.toThrow('gone')));
    await expect(step(exchangeFor('docs.file'), async () => {})).resolves.toBeUndefined();
  });
});
