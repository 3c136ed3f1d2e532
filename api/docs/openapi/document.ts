import packageJson from '../../../package.json' with { type: 'json' };
import type { Operation } from '../../operation/operation.ts';
import { answersWithoutOperation } from './answers.ts';
import { operationEntry, SECURITY_SCHEMES } from './entry.ts';
import { examplesOf } from './examples.ts';
import { EVERYWHERE, headerEntries } from './headers.ts';
import { introduction } from './introduction.ts';
import { codesWithSharedExample } from './outcomes.ts';
import { problemExamples, problemShape } from './problem.ts';
import { resourceTags } from './resources.ts';
import { type SchemaCollection, schemaOf } from './schemas.ts';
import type { OpenApiDocument } from './shape.ts';
import { webhookEntries } from './webhooks.ts';

/** Makes the OpenAPI 3.1 document of these operations under this address, from the values that also do the work. */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): OpenApiDocument {
  const collection: SchemaCollection = {};
  schemaOf(problemShape, 'output', collection);
  const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, at]) => [
    path,
    Object.fromEntries(
      at.map((operation) => [operation.method.toLowerCase(), operationEntry(operation, collection, baseUrl)]),
    ),
  ]);
  return {
    openapi: '3.1.1',
    info: { title: 'Energy asset data service', version: packageJson.version, description: introduction() },
    servers: [{ url: baseUrl }],
    tags: resourceTags(operations),
    paths: Object.fromEntries(paths),
    webhooks: webhookEntries(collection, baseUrl),
    components: {
      schemas: collection,
      headers: headerEntries(operations),
      examples: problemExamples(
        codesWithSharedExample(operations, ({ id }, code) => Object.hasOwn(examplesOf(id, baseUrl), code)),
        baseUrl,
      ),
      securitySchemes: SECURITY_SCHEMES,
    },
    'x-every-answer': { headers: EVERYWHERE },
    'x-without-operation': answersWithoutOperation(),
  };
}
