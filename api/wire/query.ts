import type { Faults } from '../problem/faults.ts';
import { cut } from './quoted.ts';

/**
 * A query as name and text. A parameter that is given twice, or without a value, is a fault, never a guess.
 * @returns the texts, and which of them are refused
 */
export function readQuery(
  raw: URLSearchParams,
  faults: Faults,
): { texts: Record<string, string>; refused: ReadonlySet<string> } {
  const texts: Record<string, string> = Object.create(null);
  const refused = new Set<string>();
  const refuse = (name: string, why: string): void => {
    if (refused.has(name)) return;
    refused.add(name);
    const parameter = cut(name);
    faults.add(() => ({ parameter, code: 'INVALID_PARAMETER', detail: `${parameter} ${why}` }));
  };
  for (const [name, value] of raw) {
    if (name in texts) refuse(name, 'is given more than once; list values are separated by commas');
    else texts[name] = value;
  }
  for (const name in texts) if (texts[name] === '') refuse(name, 'has no value');
  return { texts, refused };
}
