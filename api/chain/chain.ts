import type { Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { accept } from './accept.ts';
import { accessLog } from './access-log.ts';
import { answer } from './answer.ts';
import { audit } from './audit.ts';
import { authenticate } from './authenticate.ts';
import { module, organisation, scope } from './authorise.ts';
import { compress } from './compress.ts';
import type { Middleware } from './context.ts';
import { crossOrigin } from './cors.ts';
import { entityTag } from './entity-tag.ts';
import { headers } from './headers.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { limitHeaders, limits } from './limits.ts';
import { measure } from './measure.ts';
import { olderVariant } from './older-variant.ts';
import { pinDataset } from './pin-dataset.ts';
import { problems } from './problems.ts';
import { readBody } from './read-body.ts';
import { requestId } from './request-id.ts';
import { route } from './route.ts';
import { target } from './target.ts';
import { validate } from './validate.ts';
import { wellFormed } from './well-formed.ts';

/** What happens around every operation, outermost first. An operation never does any of this itself. */
export const chain = (operations: readonly Operation[], service: Service): Middleware[] => [
  // The frame: every answer goes out through it, whatever happens below.
  target,
  requestId,
  measure(service),
  accessLog(service.log),
  headers(service),
  crossOrigin(service),
  compress(service),
  audit(service),
  problems(service),
  // Who asks for what, and whether that is granted.
  wellFormed,
  route(operations),
  limitConcurrency(),
  olderVariant(service),
  authenticate(service),
  limitHeaders(service),
  organisation,
  scope,
  module,
  limits(service),
  // The question itself.
  accept,
  readBody,
  pinDataset(service),
  validate(service),
  entityTag(service),
  answer(service),
];
