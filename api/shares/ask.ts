import { mustHaveModule } from '../access/rights.ts';
import type { Call, KeyOperation } from '../operation/operation.ts';

/** Parameters as a page sends them. */
export type Query = Readonly<Record<string, string>>;

/** Asks an operation in the name of the caller. @returns its answer */
export async function ask(operation: KeyOperation, query: Query, call: Call, path: Query = {}): Promise<unknown> {
  if (operation.module !== null) mustHaveModule(call.caller, operation.module);
  const asked = { ...call, path, query: operation.query.parse(query), search: new URLSearchParams(query) };
  const { body } = await operation.handle({ ...asked, body: undefined, media: operation.media });
  return (body as { readonly data: unknown }).data;
}
