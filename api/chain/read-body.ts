import type { Operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { readJson } from '../wire/json.ts';
import type { Context, Middleware, RequestState } from './context.ts';
import { announcedBytes, readText } from './read-bytes.ts';
import { readForm } from './read-form.ts';
import type { Step } from './step.ts';

const MAX_BYTES = 1024 * 1024;

type BodyMiddleware = Middleware<RequestState, { body: unknown }>;

/** Reads the JSON body, or the form, of an operation that takes one; refuses any other body, since a filter in it would be lost. */
export const readBody: Step<Operation, RequestState, { body: unknown }> = {
  name: 'body',
  problems: ({ body, form }) => [
    'INVALID_BODY',
    'PAYLOAD_TOO_LARGE',
    ...(body === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(form === undefined ? [] : (['FORM_REFUSED'] as const)),
  ],
  open:
    ({ settings }) =>
    ({ body, form, bodyOptional = false }) =>
      body === undefined
        ? refuseBody
        : form === undefined
          ? bodyOptional
            ? readAnyJsonBody
            : readJsonBody
          : async (context, next) => next({ body: await readForm(context, settings.BASE_URL) }),
};

const refuseBody: BodyMiddleware = async (context, next) => {
  if (!isWithoutBody(context)) {
    throw new Problem('INVALID_BODY', 'The operation takes no body; its parameters stand in the query');
  }
  await next({ body: undefined });
};

const isWithoutBody = (context: Context): boolean =>
  announcedBytes(context, MAX_BYTES) === 0 && context.get('Transfer-Encoding') === '';

const readAnyJsonBody: BodyMiddleware = (context, next) =>
  isWithoutBody(context) ? next({ body: {} }) : readJsonBody(context, next);

const readJsonBody: BodyMiddleware = async (context, next) => {
  announcedBytes(context, MAX_BYTES);
  const charset = context.request.charset.toLowerCase();
  const encoding = context.get('Content-Encoding');
  if (context.request.type !== 'application/json' || !['', 'utf-8'].includes(charset) || encoding !== '') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed');
  }
  await next({ body: readJson(await readText(context, MAX_BYTES)) });
};
