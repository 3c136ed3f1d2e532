import type { z } from 'zod';
import type { Operation } from '../../operation/operation.ts';
import { type Code, codeEntry } from '../../problem/codes.ts';
import { CSV } from '../../representation/csv.ts';
import { csvSchema, tableForm } from '../../representation/table.ts';
import { XLSX } from '../../representation/xlsx.ts';
import type { Example, Examples } from './examples.ts';
import { headersOf } from './headers.ts';
import { codesOf, WITHOUT_OPERATION } from './outcomes.ts';
import { problemSchema } from './problem.ts';
import { type SchemaCollection, schemaOf } from './schemas.ts';
import type { AnswerEntry, ExampleEntry, Reference } from './shape.ts';

/** Describes every answer that a call of the operation can get, by status. */
export function answersOf(
  operation: Operation,
  collection: SchemaCollection,
  examples: Examples,
): Record<string, AnswerEntry> {
  const { media, answer, otherMedia = {}, otherStatuses = {}, source, status = 200, table } = operation;
  const forms: [string, z.ZodType | null][] = [
    [media, answer],
    ...Object.entries(otherMedia),
    ...(table === undefined || answer === null
      ? []
      : ([
          [CSV, csvSchema(tableForm(answer, table))],
          [XLSX, null],
        ] satisfies [string, z.ZodType | null][])),
  ];
  const schemas = forms.map(
    ([form, schema]) => [form, schema === null ? {} : schemaOf(schema, 'output', collection)] as const,
  );
  const contentOf = (status: number): NonNullable<AnswerEntry['content']> =>
    Object.fromEntries(
      schemas.map(([form, schema]) => {
        const ofForm = Object.entries(examples).filter(
          ([, { answer }]) => answer.status === status && (form === ANY_MEDIA || answer.media === form),
        );
        return [
          form,
          { schema, ...(ofForm.length === 0 ? {} : { examples: Object.fromEntries(ofForm.map(entryOf)) }) },
        ];
      }),
    );
  const given = (status: number, description: string): [number, AnswerEntry] => [
    status,
    { description, headers: headersOf(status, operation), content: contentOf(status) },
  ];
  const unchanged: [number, AnswerEntry][] =
    source !== 'service'
      ? [[304, { description: 'The answer that If-None-Match names still holds', headers: headersOf(304, operation) }]]
      : [];
  return byStatus([
    given(status, 'The answer'),
    ...Object.entries(otherStatuses).map(([status, when]) => given(Number(status), when)),
    ...unchanged,
    ...problemsOf(codesOf(operation), operation, examples),
  ]);
}

/** Media type of an operation whose files have the types of their names. */
const ANY_MEDIA = '*/*';

/** The answer of a recorded example. */
const entryOf = ([name, { title, answer }]: [string, Example]): [string, ExampleEntry] => [
  name,
  {
    summary: title,
    ...(answer.shortened === undefined ? {} : { description: answer.shortened }),
    value: answer.body,
  },
];

/** Describes the answers to requests that reach no operation, by status. */
export const answersWithoutOperation = (): Record<string, AnswerEntry> =>
  byStatus([
    [204, { description: 'The methods of the address, for OPTIONS', headers: headersOf(204, null) }],
    [308, { description: 'A page with slashes at its end is sent on to the page', headers: headersOf(308, null) }],
    ...problemsOf(WITHOUT_OPERATION, null, {}),
  ]);

/** A problem that was recorded stands for its code; every other code has the example that all operations share. */
function problemsOf(codes: readonly Code[], operation: Operation | null, examples: Examples): [number, AnswerEntry][] {
  const shared = (code: Code): [string, Reference] => [code, { $ref: `#/components/examples/${code}` }];
  const statuses = Map.groupBy(codes, (code) => codeEntry(code).status);
  return [...statuses].map(([status, alike]) => [
    status,
    {
      description: alike.map((code) => `\`${code}\`: ${codeEntry(code).title}`).join('\n\n'),
      headers: headersOf(status, operation),
      content: {
        'application/problem+json': {
          schema: problemSchema(status, alike),
          examples: Object.fromEntries(
            alike.map((code) => {
              const example = examples[code];
              return example === undefined ? shared(code) : entryOf([code, example]);
            }),
          ),
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
