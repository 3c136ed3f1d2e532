import type { Faults } from '../problem/faults.ts';
import { cut } from './quoted.ts';

/**
 * Reads a query as names and texts. The values of a list may be separated by commas, or come each with the name again, as
 * generated clients write them. Any other parameter that is known and given twice, and one without a value, is a fault.
 * @param known names of parameters; of others, the schema says that they are unknown
 * @param lists those that take a list
 * @returns the texts, and the names of those that have a fault
 */
export function readQuery(
  raw: URLSearchParams,
  known: ReadonlySet<string>,
  lists: ReadonlySet<string>,
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
    const before = texts[name];
    if (value === '') refuse(name, 'has no value');
    else if (before !== undefined && known.has(name) && !lists.has(name)) {
      refuse(name, 'is given more than once: send it once, or ask once for each');
    }
    texts[name] = before === undefined ? value : `${before},${value}`;
  }
  return { texts, refused };
}
