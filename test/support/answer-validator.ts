import type { AnswerEntry, HeaderEntry, OpenApiDocument } from '../../api/docs/openapi/shape.ts';
import { validators } from './schemas.ts';

/** Compares answers of the service with its OpenAPI document. */

/** An answer as it arrived over HTTP. */
interface DescribedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body; empty = none. */
  readonly text: string;
  /** The body as JSON, where the caller has read it already. */
  readonly json?: unknown;
}

/**
 * Checks answers against the document.
 * @returns a function that throws when the answer to a request of this method and path (its query does not matter) is
 * not described: its status, a header, its media type, or its body
 */
export function answerValidator(
  document: OpenApiDocument,
): (method: string, path: string, seen: DescribedAnswer) => void {
  const validator = validators(document);
  return (method, path, { status, headers, text, json }) => {
    const where = `${method} ${path} answered ${status}`;
    const answers = answersTo(document, method, path);
    const answer = answers[status];
    if (answer === undefined) throw new Error(`${where}; described are ${Object.keys(answers).join(', ')}`);
    const faults = [
      ...headerFaults(headersOf(document, answer), headers, validator),
      ...bodyFaults(answer, method, headers.get('Content-Type') ?? '', { text, json }, validator),
    ];
    if (faults.length === 0) return;
    throw new Error(`${where}, and not as described:\n${faults.join('\n')}\n${text.slice(0, 2000)}`);
  };
}

type Validators = ReturnType<typeof validators>;

/** The answers that a request of this method and path can get, by status. */
function answersTo(document: OpenApiDocument, method: string, path: string): Readonly<Record<string, AnswerEntry>> {
  const template = templateOf(document, path);
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = template === null ? undefined : document.paths[template]?.[name];
  return operation?.responses ?? document['x-without-operation'];
}

/** The path template that an address belongs to; fixed parts win over parameters. */
function templateOf(document: OpenApiDocument, address: string): string | null {
  const segments = address.replace(/[?#].*/s, '').split('/');
  const parameters = (template: string) => template.split('{').length;
  const matching = Object.keys(document.paths).filter((template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((name, index) => (name.startsWith('{') ? segments[index] !== '' : name === decoded(segments[index]!)))
    );
  });
  return matching.sort((a, b) => parameters(a) - parameters(b))[0] ?? null;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Headers of HTTP itself, which OpenAPI leaves to it. */
const OF_HTTP = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
]);

/** The headers that an answer may carry, by name in lower case. */
function headersOf(document: OpenApiDocument, answer: AnswerEntry): Map<string, HeaderEntry> {
  const own = Object.entries(answer.headers).map(
    ([name, { $ref }]) => [name, document.components.headers[$ref.split('/').at(-1)!]!] as const,
  );
  const all = [...Object.entries(document['x-every-answer'].headers), ...own];
  return new Map(all.map(([name, entry]) => [name.toLowerCase(), entry]));
}

function headerFaults(described: Map<string, HeaderEntry>, headers: Headers, validator: Validators): string[] {
  const missing = [...described].filter(([name, { required }]) => required === true && !headers.has(name));
  const wrong = [...headers].flatMap(([name, value]) => {
    if (OF_HTTP.has(name)) return [];
    const entry = described.get(name);
    if (entry === undefined) return [`header ${name} is not described`];
    return validator(entry.schema)(value) ? [] : [`header ${name} has the value ${value}`];
  });
  return [...missing.map(([name]) => `header ${name} is missing`), ...wrong];
}

function bodyFaults(
  { content }: AnswerEntry,
  method: string,
  contentType: string,
  { text, json }: Pick<DescribedAnswer, 'text' | 'json'>,
  validator: Validators,
): string[] {
  if (method === 'HEAD') return text === '' ? [] : ['an answer to HEAD has a body'];
  if (content === undefined) return text === '' ? [] : ['a body is not described'];
  const media = contentType.split(';')[0]!;
  const described = content[media] ?? content['*/*'];
  if (described === undefined) return [`media type ${media} is not described`];
  if (!/\bjson$/.test(media)) return [];
  const validate = validator(described.schema);
  if (validate(json === undefined ? JSON.parse(text) : json)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `body ${instancePath}: ${message}`);
}
