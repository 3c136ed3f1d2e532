import { existsSync, readFileSync } from 'node:fs';

/** Reads what people should know of an operation before they call it: the files in prose/, one for each operation. */
export interface Prose {
  /** The purpose of the operation; absent for an operation without a file. */
  readonly purpose?: string;
  /** The pitfalls, under a heading of their own. */
  readonly pitfalls?: string;
}

/** The heading that begins the second part of a file. */
const PITFALLS = /^### What bites$/m;

export function proseOf(operationId: string): Prose {
  const file = new URL(`prose/${operationId}.md`, import.meta.url);
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8').trim();
  const at = text.search(PITFALLS);
  return at < 0 ? { purpose: text } : { purpose: text.slice(0, at).trim(), pitfalls: text.slice(at) };
}
