import { type Language, mediaOf, type Operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { contentType } from '../wire/encoding.ts';
import { readJson } from '../wire/json.ts';
import type { Context, Middleware, RequestState } from './context.ts';
import { languageOf } from './language.ts';
import type { Step } from './step.ts';

/** The operation delivers files whose types follow from their names, so it ignores `Accept`. */
const ANY_MEDIA = '*/*';

/** Chooses the form of the answer; refuses a request whose `Accept` excludes every one that the operation delivers. */
export const accept: Step<Operation, RequestState, { media: string; language: Language }> = {
  name: 'accept',
  problems: ({ media }) => (media === ANY_MEDIA ? [] : ['NOT_ACCEPTABLE']),
  open: () => (operation) => {
    const { media } = operation;
    if (media === ANY_MEDIA) return (_, next) => next({ media, language: 'en' });
    const delivered = mediaOf(operation);
    // With the parameters that the answer has, so that a caller may name them in `Accept`.
    const offered = new Map(delivered.map((one) => [contentType(one), one]));
    return async (context, next) => {
      if (delivered.length > 1) context.vary('Accept');
      const chosen = offered.get(context.accepts([...offered.keys()]) || '');
      if (chosen === undefined) {
        throw new Problem('NOT_ACCEPTABLE', `The operation delivers ${delivered.join(' and ')}`);
      }
      await next({ media: chosen, language: languageOf(context, operation) });
    };
  },
};

const MAX_JSON_BYTES = 1024 * 1024;

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
  announcedBytes(context, MAX_JSON_BYTES) === 0 && context.get('Transfer-Encoding') === '';

const readJsonBody: BodyMiddleware = async (context, next) => next({ body: readJson(await readJsonText(context)) });

/** Reads an empty body as an empty object, also one that is declared as JSON or comes in chunks. */
const readOptionalJsonBody: BodyMiddleware = async (context, next) => {
  const text = isWithoutBody(context) ? '' : await readJsonText(context);
  await next({ body: text === '' ? {} : readJson(text) });
};

async function readJsonText(context: Context): Promise<string> {
  announcedBytes(context, MAX_JSON_BYTES);
  const charset = context.request.charset.toLowerCase();
  const encoding = context.get('Content-Encoding');
  if (context.request.type !== 'application/json' || !['', 'utf-8'].includes(charset) || encoding !== '') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed');
  }
  return readText(context, MAX_JSON_BYTES);
}

/** Reads the size that the request announces. @throws Problem PAYLOAD_TOO_LARGE */
function announcedBytes(context: Context, most: number): number {
  const announced = Number(context.get('Content-Length') || 0);
  if (announced > most) throw tooLarge(most);
  return announced;
}

/**
 * Reads the body of a request as a text.
 * @throws Problem PAYLOAD_TOO_LARGE; INVALID_BODY when it is not UTF-8, or breaks off
 */
async function readText(context: Context, most: number): Promise<string> {
  announcedBytes(context, most);
  const blocks: Buffer[] = [];
  let size = 0;
  try {
    for await (const block of context.req) {
      size += block.length;
      if (size > most) throw tooLarge(most);
      blocks.push(block);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The caller has hung up, or was too slow: this answer does not reach it, but the log then shows whose fault it was.
    throw new Problem('INVALID_BODY', 'The body broke off before its end');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(blocks));
  } catch {
    throw new Problem('INVALID_BODY', 'The body is not UTF-8');
  }
}

const KIB = 1024;
const MIB = 1024 * KIB;

// The rest of the body is not waited for.
const tooLarge = (most: number): Problem =>
  new Problem(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${most < MIB ? `${most / KIB} KiB` : `${most / MIB} MiB`}`,
    {
      headers: { Connection: 'close' },
    },
  );

/** The largest form: those of our pages have a few short fields. */
const MAX_FORM_BYTES = 16 * 1024;

/**
 * Reads what a form of one of our pages has sent. A field that was left empty is absent.
 * @throws Problem FORM_REFUSED for a form of another site
 * @throws Problem UNSUPPORTED_MEDIA_TYPE, INVALID_BODY, PAYLOAD_TOO_LARGE
 */
async function readForm(context: Context, baseUrl: string): Promise<Record<string, string>> {
  if (!isOfOurPages(context, baseUrl)) throw new Problem('FORM_REFUSED', 'The form was sent by a page of another site');
  if (context.request.type !== 'application/x-www-form-urlencoded') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form: application/x-www-form-urlencoded');
  }
  const fields = [...new URLSearchParams(await readText(context, MAX_FORM_BYTES))].filter(([, value]) => value !== '');
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) throw new Problem('INVALID_BODY', 'The form has a field twice');
  return Object.fromEntries(fields);
}

/**
 * Browsers say where a form comes from. `Origin` is `null` there, as our pages send no referrer; older browsers, and those that
 * reach the service without TLS, do not send Sec-Fetch-Site.
 */
function isOfOurPages(context: Context, baseUrl: string): boolean {
  const site = context.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  return ['', 'null', new URL(baseUrl).origin].includes(context.get('Origin'));
}
