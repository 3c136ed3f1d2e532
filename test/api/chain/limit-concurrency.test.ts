import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { OperationContext } from '../../../api/chain/context.ts';
import { limitConcurrency } from '../../../api/chain/limits.ts';
import { Chain } from '../../../api/chain/step.ts';
import { ASSETS, isPublic } from '../../../api/operation/kinds.ts';
import type { PublicOperation } from '../../../api/operation/operation.ts';
import type { Service } from '../../../api/operation/service.ts';
import { operationsOf } from '../../../api/operations.ts';

type Pass = (id: string, next: () => Promise<void>) => Promise<void>;

/** Opens the step as the chain does. @returns a function that passes a request to an operation through it */
function open(): Pass {
  const compile = new Chain<PublicOperation>().when(ASSETS, limitConcurrency).open({} as Service);
  return (id, next) => {
    const operation = operationsOf({ OLDER_API: 'on' }).find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}`);
    const [middleware] = isPublic(operation) ? compile(operation) : [];
    return middleware === undefined ? next() : middleware({ state: {} } as OperationContext, next);
  };
}

const FILES = 50;

describe('many requests for a public file at once', () => {
  it('are answered a few in each turn of the event loop', async () => {
    const pass = open();
    let answered = 0;
    const all = Array.from({ length: FILES }, () =>
      pass('docs.file', async () => {
        answered++;
      }),
    );
    for (let before = 0; answered < FILES; before = answered) {
      await nextTurn();
      expect(answered - before).toBeLessThanOrEqual(4);
    }
    await Promise.all(all);
  });

  it.each(['units.list', 'health.show', 'me.show'])('do not delay a request for %s', async (id) => {
    const pass = open();
    let answered = 0;
    const files = Array.from({ length: FILES }, () =>
      pass('docs.file', async () => {
        answered++;
      }),
    );
    await pass(id, async () => {});
    expect(answered).toBeLessThanOrEqual(2);
    await Promise.all(files);
  });

  it('make room for others when one of them fails', async () => {
    const pass = open();
    const failing = () => pass('docs.file', () => Promise.reject(new Error('gone')));
    await Promise.all(Array.from({ length: 5 }, () => expect(failing()).rejects.toThrow('gone')));
    await expect(pass('docs.file', async () => {})).resolves.toBeUndefined();
  });
});
