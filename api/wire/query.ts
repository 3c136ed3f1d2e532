import type { Faults } from '../problem/faults.ts';
import { cut } from './quoted.ts';

/**
 * Reads a query as names and texts. A parameter that is given twice, or without a value, is a fault.
 * @returns the texts, and the names of those that have a fault
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
    if (name in texts) refuse(name, 'is given more than once; give it once, the values of a list separated by commas');
    else texts[name] = value;
  }
  for (const name in texts) if (texts[name] === '') refuse(name, 'has no value');
  return { texts, refused };
}
