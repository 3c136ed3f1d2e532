import { bodyOf } from '../../operation/inputs.ts';
import { isLimited, isPublic } from '../../operation/kinds.ts';
import type { Operation } from '../../operation/operation.ts';
import { answersOf } from './answers.ts';

import { parametersOf } from './parameters.ts';
import { resourceOf } from './resources.ts';
import { type SchemaCollection, schemaOf } from './schemas.ts';
import type { OperationEntry } from './shape.ts';

/** The two ways to send a key, each enough. */
export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key, as `Authorization: Bearer <key>`' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key, as `X-API-Key: <key>`' },
} as const;

const EITHER_KEY = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

/** Describes an operation. */
export function operationEntry(operation: Operation, collection: SchemaCollection): OperationEntry {
  const { example } = operation;
  const body = bodyOf(operation);
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
    parameters: parametersOf(operation),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemaOf(body, 'input', collection),
                ...(example?.body === undefined ? {} : { example: example.body }),
              },
            },
          },
        }),
    responses: answersOf(operation, collection),
  };
}

function securityOf(operation: Operation): OperationEntry['security'] {
  if (isPublic(operation)) return [];
  return operation.older === true ? [{ apiKey: [] }] : EITHER_KEY;
}

const descriptionOf = (operation: Operation): string =>
  [operation.description, needs(operation), counting(operation)].filter((text) => text !== undefined).join('\n\n');

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

/** Says how calls are counted; calls without a key are not. */
function counting(operation: Operation): string | undefined {
  if (isPublic(operation)) return undefined;
  if (operation.older === true) return 'Counted apart from /v1: calls per minute, and units per month.';
  const window = isLimited(operation)
    ? `Cost class \`${operation.cost}\``
    : `Cost class \`${operation.cost}\`, not limited per minute`;
  return `${window}; ${operation.metered === false ? 'does not count' : 'counts'} against the quota of the month.`;
}
