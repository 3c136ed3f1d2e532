import type { z } from 'zod';
import type { Code } from '../problem/codes.ts';
import type { Violation } from '../problem/problem.ts';
import { suggestion } from './nearest.ts';

/** The violations behind a failed check of query or path parameters, in the order in which they were found. */
export function parameterViolations(error: z.ZodError, known: readonly string[]): Violation[] {
  return error.issues.flatMap((issue): Violation[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownParameter(name, known));
    const parameter = String(issue.path[0] ?? '');
    const detail = issue.code === 'invalid_type' ? `${parameter} is required` : `${parameter} ${issue.message}`;
    return [{ parameter, code: issueCode(issue), detail }];
  });
}

function unknownParameter(parameter: string, known: readonly string[]): Violation {
  const detail = `${JSON.stringify(parameter)} is not a parameter of this operation${suggestion(parameter, known)}`;
  return { parameter, code: 'UNKNOWN_PARAMETER', detail };
}

/** The code that `fault` has put into an issue. */
function issueCode(issue: z.core.$ZodIssue): Code {
  const code: unknown = issue.code === 'custom' ? issue.params?.code : undefined;
  return (code as Code | undefined) ?? 'INVALID_PARAMETER';
}

/**
 * The violations behind a failed check of a JSON body; `pointer` is a JSON Pointer as URI fragment (RFC 6901, 6).
 * @param known the members of the body itself
 */
export function bodyViolations(error: z.ZodError, known: readonly string[]): Violation[] {
  return error.issues.flatMap((issue): Violation[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((name) => ({
        pointer: pointer([...issue.path, name]),
        code: 'UNKNOWN_PARAMETER',
        detail: `${JSON.stringify(name)} is not a member of this body${suggestion(name, issue.path.length === 0 ? known : [])}`,
      }));
    }
    const code = issue.code === 'custom' ? issueCode(issue) : 'INVALID_BODY';
    const [member] = issue.path;
    const detail = member === undefined ? issue.message : `${String(member)} ${issue.message}`;
    return [{ pointer: pointer(issue.path), code, detail }];
  });
}

const pointer = (path: readonly PropertyKey[]): string =>
  `#${path.map((part) => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
