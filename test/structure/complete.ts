import { existsSync, readFileSync } from 'node:fs';
import { exampleFile } from '../../api/docs/openapi/examples.ts';
import { proseOf } from '../../api/docs/openapi/prose.ts';
import type { Operation } from '../../api/operation/operation.ts';

/** Finds what an operation lacks beside its code; CONTRIBUTING.md has the same as a list. */

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Thing {
  /** Completes "operation …: ". */
  readonly missing: (operation: Operation) => string;
  readonly isThere: (operation: Operation) => boolean;
}

/** Returns true for an operation whose answer is made of records of the organisation that asks. */
const isAboutRecords = ({ access, source, id }: Operation): boolean =>
  access !== 'public' && source === 'service' && id !== 'units.fields';

const THINGS: readonly Thing[] = [
  {
    missing: ({ id }) => `write api/docs/openapi/prose/${id}.md: what it is for, and what bites`,
    isThere: ({ id }) => (proseOf(id).purpose ?? '') !== '',
  },
  {
    missing: ({ id }) =>
      `write api/docs/openapi/examples/${id}.json: a title and a request for each example, by name; then ` +
      'npm test -- test/docs/examples.test.ts -u',
    isThere: ({ id }) =>
      existsSync(exampleFile(id)) && Object.keys(JSON.parse(readFileSync(exampleFile(id), 'utf8'))).length > 0,
  },
  {
    missing: ({ method, path }) => `name ${method} ${path} in README.md, "What it answers"`,
    isThere: ({ method, path }) => readme.includes(`\`${method} ${path}\``),
  },
  {
    missing: ({ id }) => `give PAIRS of test/conformance/isolation-pairs.ts an entry '${id}'`,
    isThere: (operation) => !isAboutRecords(operation) || pairs.includes(`  '${operation.id}': async (`),
  },
];

const readme = read('README.md');
const pairs = read('test/conformance/isolation-pairs.ts');

/** @returns a line for each thing that is missing, which says what to do */
export const missingOf = (operations: readonly Operation[]): string[] =>
  operations.flatMap((operation) =>
    THINGS.filter(({ isThere }) => !isThere(operation)).map(
      ({ missing }) => `operation ${operation.id}: ${missing(operation)}`,
    ),
  );
