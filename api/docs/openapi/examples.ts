import { existsSync, readFileSync } from 'node:fs';

/**
 * Requests with the answers that the service gave to them over the sample: the files in examples/, one for each operation.
 * Requests are written by hand, answers by the test that sends them (test/docs/examples.test.ts).
 */

export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string>>;
  /** As it is written in an address, but with blanks and umlauts. */
  readonly query?: string;
  /** Headers beside the key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ExampleAnswer {
  readonly status: number;
  readonly media: string;
  /** Says what the example leaves out; absent = nothing. */
  readonly shortened?: string;
  /** A text for what is not JSON. */
  readonly body: unknown;
}

export interface Example {
  readonly title: string;
  readonly request: ExampleRequest;
  readonly answer: ExampleAnswer;
}

/** By name; an example that ends in a problem is named by its code. */
export type Examples = Readonly<Record<string, Example>>;

/** The address of the service in the files. */
export const EXAMPLE_ADDRESS = 'https://energy.example';

export const exampleFile = (operationId: string): URL => new URL(`examples/${operationId}.json`, import.meta.url);

/**
 * The examples of an operation at this address; none for an operation without a file. A request that was just written by hand
 * has no answer yet and is left out, so that the test that writes its answer can start the service.
 */
export function examplesOf(operationId: string, baseUrl: string): Examples {
  const file = exampleFile(operationId);
  if (!existsSync(file)) return {};
  const written: Record<string, Omit<Example, 'answer'> & Partial<Example>> = JSON.parse(
    readFileSync(file, 'utf8').replaceAll(EXAMPLE_ADDRESS, baseUrl),
  );
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, { answer, ...example }]) =>
      answer === undefined ? [] : [[name, { ...example, answer }]],
    ),
  );
}
