import { createHash } from 'node:crypto';
import { type AskedQuestion, type KeptAnswer, KeptBody } from '../answers/answer-cache.ts';
import type { ReusableOperation } from '../operation/kinds.ts';
import { type Call, type ImpersonalCall, impersonal, type OperationResult } from '../operation/operation.ts';
import { asText, rowCountOf, sendResult, withLinks } from './answer.ts';
import type { CallerState } from './context.ts';
import type { Step } from './step.ts';
import { tableAnswers } from './table-answer.ts';

/**
 * Gives an answer again that was given before, to whomever. The caller has passed every step before this one, and what was
 * asked is resolved in the caller's name; only then is an answer looked for, or made without knowing who asks.
 */
export const reuseAnswer: Step<ReusableOperation, CallerState & { call: Call }> = {
  name: 'reuse answer',
  problems: () => ['RATE_LIMITED'],
  open:
    ({ answers, sessionBudgets }) =>
    (operation) => {
      const make = makerOf(operation);
      return async (context, next) => {
        const { call, caller } = context.state;
        // Not within the making, which others may wait for.
        const mustHaveRoom = (): void => {
          if (caller.session === true) sessionBudgets.mustHaveRoom(caller);
        };
        if (!answers.isOn) {
          mustHaveRoom();
          return next();
        }
        const impersonalCall = impersonal(call, await operation.reusable.question(call));
        const question = askedQuestion(operation, impersonalCall);
        if (!answers.has(question)) mustHaveRoom();
        const kept = await answers.answer(question, () => make(impersonalCall));
        sendResult(context, operation, withLinks(answerFrom(kept), operation, call));
      };
    },
};

/** @returns a function that makes an answer as it is kept */
function makerOf(operation: ReusableOperation): (call: ImpersonalCall) => Promise<KeptAnswer> {
  const asTable = tableAnswers(operation);
  return async (call) => {
    const result = await operation.reusable.reply(call);
    const { status, headers = {}, media = operation.media, rowCount, page, body } = await asTable(result, call);
    return {
      status,
      headers,
      media,
      rowCount: rowCount === undefined ? rowCountOf(body) : rowCount,
      page,
      body: new KeptBody(asText(body)),
    };
  };
}

const answerFrom = ({ status, ...answer }: KeptAnswer): OperationResult =>
  status === undefined ? answer : { ...answer, status };

/** Whatever decides about an answer: two questions of one key are answered by the same bytes. */
function askedQuestion({ id, reusable }: ReusableOperation, call: ImpersonalCall): AskedQuestion {
  const { publication, erased } = call.dataset();
  const parts = [
    publication.version,
    // After a roll-back the same version tells another moment, and deltas begin elsewhere.
    publication.publishedAt,
    erased,
    call.today,
    reusable.family ?? id,
    call.media,
    call.table,
    call.question,
  ];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  // A refusal says where the fault lies, which operations of one family say differently.
  return { publication, key, maker: `${id} ${key}` };
}
