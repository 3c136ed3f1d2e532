import type { FrameStep } from './step.ts';

/**
 * Tells callers with a key where the time of their call went (Server-Timing, W3C): what the engine took, and all of it until
 * the answer was ready to be sent. Others learn nothing, since the time of a refused call could tell why it was refused.
 */
export const serverTiming: FrameStep = {
  name: 'server timing',
  problems: [],
  open: () => async (context, next) => {
    await next();
    const { caller, began, engine } = context.state;
    if (caller === undefined) return;
    const parts = [
      ...(engine === undefined ? [] : [duration('engine', engine.ms)]),
      duration('total', performance.now() - began),
    ];
    context.set('Server-Timing', parts.join(', '));
  },
};

const duration = (name: string, ms: number): string => `${name};dur=${ms.toFixed(1)}`;
