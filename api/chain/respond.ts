import type { Call, KeyOperation, PublicCall, PublicOperation } from '../operation/operation.ts';
import { CSV } from '../representation/csv.ts';
import { StoredFile } from '../wire/stored-file.ts';
import type { Context, RequestState } from './context.ts';
import { csvAnswers } from './csv-answer.ts';
import { withLinks } from './page-links.ts';
import { sendFile } from './send-file.ts';
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
      if (result.body instanceof StoredFile) {
        await sendInTurn(context, result.body, call);
        return;
      }
      const formed = asCsv !== null && call.media === CSV ? await asCsv(result, call) : result;
      sendResult(context, operation, withLinks(formed, operation, call));
    };
  },
};

export const respondToAnybody: Step<PublicOperation, RequestState & { call: PublicCall }> = {
  name: 'respond',
  problems: () => [],
  open: () => (operation) => async (context) =>
    sendResult(context, operation, await operation.handle(context.state.call)),
};

/** Sends a file when the organisation has a place for one more download, and gives the place back when the answer has ended. */
async function sendInTurn(context: Context, file: StoredFile, { caller, service }: Call): Promise<void> {
  const end = await service.downloads.begin(caller.organisation.id);
  context.res.once('close', end);
  // The caller may have hung up while it waited.
  if (context.res.destroyed) end();
  await sendFile(context, file);
}
