/**
 * Every error code of the service: its status, meaning, cause and remedy. The problem documents and
 * the page /docs/errors are made from this table. Callers branch on the code; the texts may be improved.
 */

interface CodeEntry {
  readonly status: number;
  /** Short and unchanging; `title` of the problem document. */
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  readonly retryable?: true;
}

export const CODES = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'A parameter is not valid',
    cause: 'A parameter, header or the request line does not have the form or the range that the operation asks for.',
    remedy: 'Correct what `errors` names; each entry says what is expected.',
  },
  UNKNOWN_PARAMETER: {
    status: 400,
    title: 'The operation does not know a parameter',
    cause:
      'A query parameter or a member of the body is not one of the operation: a mistyped filter must never widen a result in silence.',
    remedy: 'Use the name that `errors` suggests, or leave the parameter out.',
  },
  UNKNOWN_FIELD: {
    status: 400,
    title: 'There is no such field to read',
    cause: '`fields` names a field that does not exist or can only be filtered by.',
    remedy: 'Use names that GET /v1/units/fields flags `lesbar`.',
  },
  NOT_SORTABLE: {
    status: 400,
    title: 'The list cannot be sorted by this field',
    cause: '`sort` names a field that is unknown or not flagged `sortierbar`.',
    remedy: 'Sort by a field that GET /v1/units/fields flags `sortierbar`.',
  },
  UNKNOWN_SIGNAL: {
    status: 400,
    title: 'There is no such signal',
    cause: '`signals` names a signal that does not exist.',
    remedy: 'Use the ids of signals that GET /v1/me lists under `entitlements`.',
  },
  FILTER_CONFLICT: {
    status: 400,
    title: 'Parameters contradict each other',
    cause: 'Two parameters exclude each other, or a range ends before it begins.',
    remedy: 'Correct or drop one of the parameters that `errors` names.',
  },
  TOO_MANY_VALUES: {
    status: 400,
    title: 'A list has too many values',
    cause: 'A list parameter, a batch or the body as a whole carries more values than one request may have.',
    remedy: 'Split it over several requests.',
  },
  TOO_MANY_GROUPS: {
    status: 400,
    title: 'There are too many groups',
    cause:
      'Two dimensions have more pairs of values than one answer may have, and a part of them would add up to nothing.',
    remedy: 'Ask for parts of the groups by a filter, or take a coarser dimension.',
  },
  INVALID_CURSOR: {
    status: 400,
    title: 'The cursor is not valid here',
    cause:
      'The cursor was altered, comes from another service, belongs to another filter or sort, or stands on a version that has been withdrawn.',
    remedy:
      'Begin again without `cursor`, and keep filters and sort unchanged from page to page. After a withdrawal do what `detail` says.',
  },
  INVALID_BODY: {
    status: 400,
    title: 'The body is not valid',
    cause:
      'The body is not well-formed JSON, has a member twice, does not have the form that the operation asks for, or the operation takes none.',
    remedy: 'Correct what `detail` and `errors` name.',
  },
  MISSING_API_KEY: {
    status: 401,
    title: 'The request carries no API key',
    cause: 'The operation needs a key, and neither `Authorization` nor `X-API-Key` carries one.',
    remedy: 'Send the key as `Authorization: Bearer <key>` or as `X-API-Key: <key>`.',
  },
  INVALID_API_KEY: {
    status: 401,
    title: 'The API key is not valid',
    cause:
      'The key is mistyped, unknown, revoked or expired, or `Authorization` and `X-API-Key` carry two different keys; `detail` says which.',
    remedy: 'Check that the key was copied whole; if it was, have an administrator of the organisation make a new one.',
  },
  MISSING_SCOPE: {
    status: 403,
    title: 'The key lacks a scope',
    cause: 'The key was made without the scope that the operation needs; `detail` names it.',
    remedy: 'Use a key with this scope. The scopes of a key are fixed when it is made; GET /v1/me lists them.',
  },
  MISSING_MODULE: {
    status: 403,
    title: 'The organisation lacks a module',
    cause:
      'The organisation has not booked the module that the operation needs; `detail` names it. No scope of a key can replace it.',
    remedy: 'Book the module; GET /v1/me lists those that are booked.',
  },
  INVALID_PARAMS: {
    status: 400,
    title: 'A parameter is not valid (older variant)',
    cause: 'Under /api/v1: a parameter is unknown, or does not have the form or the range that the operation asks for.',
    remedy: 'Correct what `errors` names; each entry says what is expected.',
  },
  INSUFFICIENT_TIER: {
    status: 403,
    title: 'A Pro or Enterprise subscription is required (older variant)',
    cause:
      'Under /api/v1: the organisation has not booked both modules api and analysis; `detail` names what is missing.',
    remedy: 'Book the modules; GET /v1/me lists those that are booked.',
  },
  SIGNAL_NOT_ENTITLED: {
    status: 403,
    title: 'The organisation may not use a signal',
    cause: '`signals` names a signal that exists, but the organisation is not entitled to it.',
    remedy: 'Ask for signals that GET /v1/me lists under `entitlements`, or have the signal granted.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    title: 'A field is not open to be filled on this connection',
    cause:
      'Stands in a row of POST /v1/connections/{id}/shared-fields: the counterpart does not ask for this field on this unit, or no longer does. Other rows are written.',
    remedy:
      'Answer rows that GET /v1/connections/{id}/shared-fields?richtung=REQUEST lists with `besitzer` gegenseite.',
  },
  FIELD_NOT_WRITABLE: {
    status: 403,
    title: 'Fields that are shared cannot be written by the other side',
    cause:
      'Every row of POST /v1/connections/{id}/shared-fields names a field with `richtung` SHARE, which its owner alone writes.',
    remedy: 'Answer rows with `richtung` REQUEST; own fields are written with PUT /v1/units/{id}/custom-fields.',
  },
  DUMPS_NOT_ALLOWED: {
    status: 403,
    title: 'The organisation may not read dumps',
    cause:
      'The limit `dumps` of the organisation is not true. Dumps have every field and signal, so they are allowed one by one.',
    remedy: 'Have the operator of the service allow them, or read the units page by page.',
  },
  NOT_SHARED: {
    status: 403,
    title: 'The link does not show this',
    cause:
      'A public link to a view admits the requests of that view alone: this operation, place or filter is of another one.',
    remedy: 'Call with an API key.',
  },
  FORM_REFUSED: {
    status: 403,
    title: 'The form does not come from its page',
    cause: 'A form of the delivery log was sent by another site, through another link, or without the right to replay.',
    remedy: 'Open the page by its link and send the form there; replaying needs a key with scope webhooks:manage.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'There is nothing at this address',
    cause: 'The path does not exist, or no object has this identifier.',
    remedy: 'Check path and identifier.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The address does not offer this method',
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods of the `Allow` header.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'No accepted media type can be delivered',
    cause: 'The `Accept` header excludes every media type of the operation.',
    remedy: 'Accept the media type that `detail` names.',
  },
  CONFLICT: {
    status: 409,
    title: 'There is such an object already',
    cause:
      'Another object has what only one may have, or the state of the object does not allow the change; `detail` says which.',
    remedy: 'Use or change the object that is there, or send another value.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    title: 'The idempotency key belongs to another request',
    cause:
      'The `Idempotency-Key` was used within the last 24 hours for a request with another method, path, query or body.',
    remedy: 'Use a new key for each new request, and the same key only to repeat the same one.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'The first call with this idempotency key is still running',
    cause: 'Another call with the same `Idempotency-Key` has begun and has not ended yet.',
    remedy:
      'Repeat the request with the same key after the time in `Retry-After`; it then gets the answer of the first.',
    retryable: true,
  },
  DELTA_ANCHOR_TOO_OLD: {
    status: 410,
    title: 'No delta leads from this moment to the present',
    cause:
      '`updatedSince` lies before 2026-08-11T00:00:00.000Z, or before the end of a dataset version that was withdrawn since.',
    remedy: 'Read everything once without `updatedSince`, and go on with the `meta.sync.token` of its last page.',
  },
  SYNC_TOKEN_INVALID: {
    status: 410,
    title: 'The sync token is not good here',
    cause:
      'The token was altered, is older than 30 days, belongs to other filters, or names a dataset version that was withdrawn since.',
    remedy: 'Read everything once without `syncToken`, and go on with the `meta.sync.token` of its last page.',
  },
  LINK_EXPIRED: {
    status: 410,
    title: 'The link does not hold any more',
    cause:
      'A link to the delivery log is older than 15 minutes, or the key that it was made with has lost its right since; a public link to a view has ended, was revoked, or its organisation has no access any more; or the link is not complete.',
    remedy: 'Make a new link with POST /v1/webhooks/portal, or POST /v1/shares.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    cause: 'The body is larger than 1 MiB.',
    remedy: 'Split the request.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The body has the wrong media type',
    cause: 'The body is not sent as application/json in UTF-8, or it is compressed.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'The file does not have these bytes',
    cause: 'No range of the header `Range` lies in the file, or there are more than 16 ranges.',
    remedy:
      'Ask for bytes below the length that `Content-Range` says; a tag in `If-Range` tells whether the file is still the same.',
  },
  UNPROCESSABLE: {
    status: 422,
    title: 'The content cannot be processed',
    cause:
      'The form is right, but the content breaks a rule of the operation. In a batch it stands in the row that has the fault, and the other rows are written.',
    remedy: 'Correct what `message` or `detail` names, and send the row or the request again.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests in this minute',
    cause:
      'The key has used up the requests per minute of the cost class that the operation belongs to; or too many requests without a valid key came from this address.',
    remedy: 'Repeat the request after the time in `Retry-After`; `RateLimit` says beforehand how many requests remain.',
    retryable: true,
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    title: 'Too many requests in this minute, or rows in this month (older variant)',
    cause: 'Under /api/v1: the key has used up its requests per minute, or the organisation its rows of the month.',
    remedy: 'Repeat the request after the time in `Retry-After`; GET /api/v1/usage shows the limits.',
    retryable: true,
  },
  QUOTA_EXCEEDED: {
    status: 429,
    title: 'The quota of the month is used up',
    cause: 'The organisation has made as many requests as its quota allows in this calendar month.',
    remedy: 'Wait for the period that begins at `retryAfter`, or raise the quota; GET /v1/usage shows its state.',
    retryable: true,
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'The service failed',
    cause: 'A fault of the service. It is logged under the request id.',
    remedy: 'Repeat the request; if it fails again, report the request id.',
    retryable: true,
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'The service is restricted at the moment',
    cause: 'The question could not be answered in the time or memory it may take.',
    remedy: 'Repeat the request after the time in `Retry-After`, or ask for less.',
    retryable: true,
  },
  DATASET_NOT_READY: {
    status: 503,
    title: 'No dataset is published yet',
    cause: 'The first build of the register data has not been published.',
    remedy: 'Repeat the request after the time in `Retry-After`.',
    retryable: true,
  },
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof CODES;

export const codeEntry = (code: Code): CodeEntry => CODES[code];
