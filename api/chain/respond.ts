import type { Call, KeyOperation, PublicCall, PublicOperation } from '../operation/operation.ts';
import { CSV } from '../representation/csv.ts';
import type { RequestState } from './context.ts';
import { csvAnswers } from './csv-answer.ts';
import { sendResult } from './send-result.ts';
import type { Step } from './step.ts';

/** The end of the chain: the handler of the operation answers. */
export const respond: Step<KeyOperation, RequestState & { call: Call }> = {
  name: 'respond',
  problems: () => [],
  open: () => (operation) => {
    const asCsv = csvAnswers(operation);
    return async (context) => {
      const { call } = context.state;
      const result = await operation.handle(call);
      sendResult(context, operation, asCsv !== null && call.media === CSV ? await asCsv(result, call) : result);
    };
  },
};

export const respondToAnybody: Step<PublicOperation, RequestState & { call: PublicCall }> = {
  name: 'respond',
  problems: () => [],
  open: () => (operation) => async (context) =>
    sendResult(context, operation, await operation.handle(context.state.call)),
};
