import { fileURLToPath } from 'node:url';
import { hashSecret, parseApiKey } from '../../sql/org/api-key.ts';
import type { FuzzRequest } from './requests.ts';
import type { FuzzAnswer } from './send.ts';

/** Texts that no answer may contain, whatever the request. */

/** Words of our statements and of the engines' complaints; no request of the fuzzer brings one of them. */
const SQL = [
  /\bFROM (units|dataset|organisations|api_keys|audit_log|portfolio_entries|custom_field\w*|region_tage|bundesland_tage|deutschland_tage|deutschland_monate)\b/,
  /\b(api_keys|audit_log|idempotency_keys|portfolio_entries|custom_field_\w+|limit_windows|older_rows|usage_months|secret_hash|organisation_id)\b/,
  /\b(Binder|Catalog|Parser|Conversion|Invalid Input|Out of Range) Error\b/,
  /\bsyntax error at or near\b|\bviolates \w+[- ]\w* ?constraint\b|\binvalid byte sequence\b|\brow-level security\b/,
  /\$\d+::\w+|::timestamptz|jsonb_to_recordset/,
];

const STACK = /\n\s+at |\bat \S+ \(\S+:\d+:\d+\)|\bnode:internal\b|\b(?:Type|Range|Syntax|Reference|Zod)Error\b/;

/** Words of zod, which speak of types of the program: messages say what a caller can change. */
const VALIDATOR =
  /\bInvalid (?:input|option|string|key|element|discriminator|ISO|URL|UUID)\b|\bexpected \w+, received \w+|\bToo (?:small|big): |\bUnrecognized keys?:/;

const FILES = [fileURLToPath(new URL('../..', import.meta.url)), 'node_modules', '/conformance-'];

/** @param key the key of the requests @returns says what leaked; null = nothing */
export function leaks(key: string): (request: FuzzRequest, answer: FuzzAnswer) => string | null {
  const secret = parseApiKey(key)!.secret;
  const hash = hashSecret(secret);
  return (request, { status, headers, text }) => {
    const whole = [...headers]
      .map(([name, value]) => `${name}: ${value}`)
      .concat(text)
      .join('\n');
    // A search word of the caller may come back in a result, like any other word.
    const isResult = status < 400 && decoded(request.target).includes(secret);
    if (whole.includes(hash)) return 'the hash of the secret';
    if (whole.includes(secret) && !isResult) return 'the secret';
    // Pages and their scripts hold whatever their authors wrote; their problems are JSON like all others.
    if (/^text\/(html|javascript|css)/.test(headers.get('Content-Type') ?? '')) return null;
    if (SQL.some((pattern) => pattern.test(whole))) return 'SQL';
    if (STACK.test(whole)) return 'a stack trace';
    if (status >= 400 && VALIDATOR.test(text)) return 'a message of the validator';
    if (FILES.some((path) => whole.includes(path))) return 'a file path';
    return null;
  };
}

const decoded = (target: string): string =>
  target.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
