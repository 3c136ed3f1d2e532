import { DEFAULT_LIMITS, MAX_PAGE_SIZE, MAX_ROWS_PER_QUERY } from '../../../sql/org/callers.ts';
import { bodyOf } from '../../operation/inputs.ts';
import { isLimited, isPublic } from '../../operation/kinds.ts';
import type { Operation } from '../../operation/operation.ts';
import { answersOf } from './answers.ts';
import { type Examples, examplesOf } from './examples.ts';
import { isPaged } from './outcomes.ts';
import { parametersOf } from './parameters.ts';
import { proseOf } from './prose.ts';
import { resourceOf } from './resources.ts';
import { type SchemaCollection, schemaOf } from './schemas.ts';
import type { OperationEntry } from './shape.ts';

/** The two ways to send a key, each enough. */
export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key, as `Authorization: Bearer <key>`' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key, as `X-API-Key: <key>`' },
} as const;

const EITHER_KEY = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

/** Describes an operation. @param baseUrl address of the service, in the examples */
export function operationEntry(operation: Operation, collection: SchemaCollection, baseUrl: string): OperationEntry {
  const examples = examplesOf(operation.id, baseUrl);
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: descriptionOf(operation),
    tags: [resourceOf(operation)],
    ...(operation.older === true ? { deprecated: true } : {}),
    security: securityOf(operation),
    'x-scope': operation.scope,
    'x-module': operation.module,
    'x-cost-class': operation.cost,
    parameters: parametersOf(operation, examples),
    ...requestBodyOf(operation, collection, examples),
    responses: answersOf(operation, collection, examples),
  };
}

function requestBodyOf(
  operation: Operation,
  collection: SchemaCollection,
  examples: Examples,
): Pick<OperationEntry, 'requestBody'> {
  const body = bodyOf(operation);
  if (body === undefined) return {};
  const bodies = Object.entries(examples).flatMap(([name, { title, request, answer }]) =>
    // A request that leads to a problem, if only in a row, is no example of what to send.
    request.body === undefined || answer.status >= 400 || answer.status === 207
      ? []
      : [[name, { summary: title, value: request.body }] as const],
  );
  const shown = bodies.length > 0 ? { examples: Object.fromEntries(bodies) } : { example: operation.example?.body };
  const schema = schemaOf(body, 'input', collection);
  return {
    requestBody: { required: operation.bodyOptional !== true, content: { 'application/json': { schema, ...shown } } },
  };
}

function securityOf(operation: Operation): OperationEntry['security'] {
  if (isPublic(operation)) return [];
  return operation.older === true ? [{ apiKey: [] }] : EITHER_KEY;
}

function descriptionOf(operation: Operation): string {
  const { purpose, pitfalls } = proseOf(operation.id);
  return [purpose, operation.description, needs(operation), costs(operation), pitfalls]
    .filter((text) => text !== undefined)
    .join('\n\n');
}

function needs(operation: Operation): string {
  if (isPublic(operation)) return 'Needs no key.';
  const { access, scope, module, older } = operation;
  const key = scope === null ? 'a key with any scopes' : `a key with scope \`${scope}\``;
  if (older === true) return `Needs ${key}, of tier PRO or ENTERPRISE.`;
  const modules = [access === 'api' ? 'api' : null, module].filter((name) => name !== null);
  if (modules.length === 0) return `Needs ${key}.`;
  const names = modules.map((name) => `\`${name}\``).join(' and ');
  return `Needs ${key}, of an organisation with ${modules.length === 1 ? 'module' : 'modules'} ${names}.`;
}

/** Says what a call costs and how far it reads; calls without a key are not counted. */
function costs(operation: Operation): string | undefined {
  const { cost, metered, older } = operation;
  if (isPublic(operation)) return undefined;
  if (older === true) return 'Counted apart from /v1: calls per minute, and units per month.';
  const window = isLimited(operation)
    ? `Cost class \`${cost}\` (${DEFAULT_LIMITS[operation.cost]} calls per minute and key, unless agreed otherwise)`
    : `Cost class \`${cost}\`, not limited per minute`;
  const quota = `${metered === false ? 'does not count' : 'counts'} against the quota of the month.`;
  return [`${window}; ${quota}`, ...(isPaged(operation) ? [pages(operation)] : [])].join(' ');
}

const pages = ({ endless }: Operation): string =>
  `A page has at most ${MAX_PAGE_SIZE} rows, and ${endless === true ? 'the list goes on until there are no more' : `the list ends after ${MAX_ROWS_PER_QUERY.toLocaleString('en')} rows`}; ` +
  'each page is a call.';
