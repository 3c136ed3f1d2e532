import type { z } from 'zod';
import type { Operation } from '../../operation/operation.ts';
import { type Code, codeEntry } from '../../problem/codes.ts';
import { CSV } from '../../representation/csv.ts';
import { csvSchema, tableForm } from '../../representation/table.ts';
import { headersOf } from './headers.ts';
import { codesOf, WITHOUT_OPERATION } from './outcomes.ts';
import { problemSchema } from './problem.ts';
import { type SchemaCollection, schemaOf } from './schemas.ts';
import type { AnswerEntry } from './shape.ts';

/** Describes every answer that a call of the operation can get, by status. */
export function answersOf(operation: Operation, collection: SchemaCollection): Record<string, AnswerEntry> {
  const { media, answer, otherMedia = {}, otherStatuses = {}, source, table } = operation;
  const forms: [string, z.ZodType | null][] = [
    [media, answer],
    ...Object.entries(otherMedia),
    ...(table === undefined || answer === null
      ? []
      : [[CSV, csvSchema(tableForm(answer, table))] satisfies [string, z.ZodType]]),
  ];
  const content = Object.fromEntries(
    forms.map(([form, schema]) => [form, { schema: schema === null ? {} : schemaOf(schema, 'output', collection) }]),
  );
  const given = (status: number, description: string): [number, AnswerEntry] => [
    status,
    { description, headers: headersOf(status, operation), content },
  ];
  const unchanged: [number, AnswerEntry][] =
    source !== 'service'
      ? [[304, { description: 'The answer that If-None-Match names still holds', headers: headersOf(304, operation) }]]
      : [];
  return byStatus([
    given(200, 'The answer'),
    ...Object.entries(otherStatuses).map(([status, when]) => given(Number(status), when)),
    ...unchanged,
    ...problemsOf(codesOf(operation), operation),
  ]);
}

/** Describes the answers to requests that reach no operation, by status. */
export const answersWithoutOperation = (): Record<string, AnswerEntry> =>
  byStatus([
    [204, { description: 'The methods of the address, for OPTIONS', headers: headersOf(204, null) }],
    ...problemsOf(WITHOUT_OPERATION, null),
  ]);

function problemsOf(codes: readonly Code[], operation: Operation | null): [number, AnswerEntry][] {
  const statuses = Map.groupBy(codes, (code) => codeEntry(code).status);
  return [...statuses].map(([status, alike]) => [
    status,
    {
      description: alike.map((code) => `\`${code}\`: ${codeEntry(code).title}`).join('\n\n'),
      headers: headersOf(status, operation),
      content: {
        'application/problem+json': {
          schema: problemSchema(status, alike),
          examples: Object.fromEntries(alike.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    },
  ]);
}

/** A status that is both an answer and a problem has both bodies, which differ in their media types. */
function byStatus(answers: readonly [number, AnswerEntry][]): Record<string, AnswerEntry> {
  const entries: Record<string, AnswerEntry> = {};
  for (const [status, answer] of answers) {
    const present = entries[status];
    entries[status] =
      present === undefined
        ? answer
        : {
            description: `${present.description}\n\n${answer.description}`,
            headers: { ...present.headers, ...answer.headers },
            content: { ...present.content, ...answer.content },
          };
  }
  return entries;
}
