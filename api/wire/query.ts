import type { Violation } from '../problem/problem.ts';

/** A query as name and text. A parameter that is given twice, or without a value, is a fault, never a guess. */
export function readQuery(raw: URLSearchParams): { texts: Record<string, string>; violations: Violation[] } {
  const texts: Record<string, string> = Object.create(null);
  const violations: Violation[] = [];
  const refuse = (parameter: string, detail: string) =>
    violations.push({ parameter, code: 'INVALID_PARAMETER', detail: `${parameter} ${detail}` });
  for (const name of new Set(raw.keys())) {
    const [value, ...others] = raw.getAll(name);
    texts[name] = value!;
    if (others.length > 0) refuse(name, 'is given more than once; list values are separated by commas');
    else if (value === '') refuse(name, 'has no value');
  }
  return { texts, violations };
}
