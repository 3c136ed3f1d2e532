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
    ({ body, form, bodyOptional }) => {
      if (body === undefined) return refuseBody;
      if (form) return async (context, next) => next({ body: await readForm(context, settings.BASE_URL) });
      return bodyOptional ? readOptionalJsonBody : readJsonBody;
    },
};

const refuseBody: BodyMiddleware = async (context, next) => {
  if (!isWithoutBody(context)) {
    throw new Problem('INVALID_BODY', 'The operation takes no body; its parameters stand in the query');
  }
  await next({ body: undefined });
};

const isWithoutBody = (context: Context): boolean =>
  announcedBytes(context, MAX_BYTES) === 0 && context.get('Transfer-Encoding') === '';

const readJsonBody: BodyMiddleware = async (context, next) => next({ body: readJson(await readJsonText(context)) });

/** Reads an empty body as an empty object, also one that is declared as JSON or comes in chunks. */
const readOptionalJsonBody: BodyMiddleware = async (context, next) => {
  const text = isWithoutBody(context) ? '' : await readJsonText(context);
  await next({ body: text === '' ? {} : readJson(text) });
};

async function readJsonText(context: Context): Promise<string> {
  announcedBytes(context, MAX_BYTES);
  const charset = context.request.charset.toLowerCase();
  const encoding = context.get('Content-Encoding');
  if (context.request.type !== 'application/json' || !['', 'utf-8'].includes(charset) || encoding !== '') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed');
  }
  return readText(context, MAX_BYTES);
}
