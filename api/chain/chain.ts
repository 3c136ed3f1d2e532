import {
  ASSETS,
  COUNTED,
  isPublic,
  LIMITED,
  OF_A_MODULE,
  OF_MODULE_API,
  OLDER,
  PUBLIC_WITHOUT_TAG,
  REGISTER_LISTS,
  REPLAYABLE,
  REUSABLE,
  SCOPED,
  TAGGED,
  WITHOUT_TAG,
} from '../operation/kinds.ts';
import type { KeyOperation, Operation, PublicOperation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import type { Code } from '../problem/codes.ts';
import { assetTag, entityTag, noStore, respond, respondToAnybody } from './answer.ts';
import { crossOrigin, headers, requestId, target, wellFormed } from './arrival.ts';
import { authenticate, requireApi, requireModule, requireScope, requireTier } from './caller.ts';
import { compress } from './compress.ts';
import { accept, readBody } from './content.ts';
import { countCall, limitConcurrency, limitHeaders } from './limits.ts';
import { accessLog, audit, measure, serverTiming } from './observation.ts';
import { olderVariant } from './older-variant.ts';
import { problems } from './problems.ts';
import { catchUp, pinDataset, validate, validatePublic } from './question.ts';
import { reuseAnswer } from './reuse-answer.ts';
import { Chain, type FrameStep, type OperationMiddleware } from './step.ts';
import { write } from './write.ts';

/** The frame around every request, outermost first: every answer passes through it, whatever happens further in. */
export const FRAME: readonly FrameStep[] = [
  target,
  requestId,
  measure,
  accessLog,
  headers,
  serverTiming,
  crossOrigin,
  compress,
  audit,
  problems,
  wellFormed,
];

/** The steps around an operation that anybody may call, outermost first. */
export const PUBLIC_CHAIN = new Chain<PublicOperation>()
  .when(ASSETS, limitConcurrency)
  .step(accept)
  .step(readBody)
  .step(validatePublic)
  .when(ASSETS, assetTag)
  .when(PUBLIC_WITHOUT_TAG, noStore)
  .step(respondToAnybody);

/** The steps around an operation that needs a key: first the rights of the caller, then the question. */
export const KEY_CHAIN = new Chain<KeyOperation>()
  .when(OLDER, olderVariant)
  .step(authenticate)
  .when(LIMITED, limitHeaders)
  .when(OF_MODULE_API, requireApi)
  .when(OLDER, requireTier)
  .when(SCOPED, requireScope)
  .when(OF_A_MODULE, requireModule)
  .when(COUNTED, countCall)
  .step(accept)
  .step(readBody)
  .step(pinDataset)
  .step(validate)
  .when(REGISTER_LISTS, catchUp)
  .when(TAGGED, entityTag)
  .when(WITHOUT_TAG, noStore)
  .when(REPLAYABLE, write)
  .when(REUSABLE, reuseAnswer)
  .step(respond);

/** Opens both chains. @returns a function that gives an operation the middleware it needs, and only that */
export function openChains(service: Service): (operation: Operation) => OperationMiddleware[] {
  const [ofPublic, ofKey] = [PUBLIC_CHAIN.open(service), KEY_CHAIN.open(service)];
  return (operation) => (isPublic(operation) ? ofPublic(operation) : ofKey(operation));
}

/** Codes of the problems in which a call of the operation can end before its handler is reached. */
export const chainProblems = (operation: Operation): Code[] => [
  ...FRAME.flatMap((step) => step.problems),
  ...(isPublic(operation) ? PUBLIC_CHAIN.problems(operation) : KEY_CHAIN.problems(operation)),
];
