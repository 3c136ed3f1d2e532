import type { z } from 'zod';
import type { Faults } from '../problem/problem.ts';
import { advice } from './familiar-names.ts';
import { suggestion } from './nearest.ts';
import type { FaultParams } from './parameters.ts';
import { cut, quoted } from './quoted.ts';

/**
 * Reports the faults of query or path parameters, in the order in which zod found them.
 * @param known the parameters of the operation
 * @param refused parameters that could not be read and have their fault already
 */
export function parameterFaults(
  error: z.ZodError,
  known: readonly string[],
  faults: Faults,
  refused: ReadonlySet<string> = new Set(),
): void {
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const name of issue.keys) {
        if (refused.has(name)) continue;
        faults.add(() => ({
          parameter: cut(name),
          code: 'UNKNOWN_PARAMETER',
          detail: `${quoted(name)} is not a parameter of this operation${advice(name, known)}`,
        }));
      }
      continue;
    }
    const parameter = String(issue.path[0] ?? '');
    if (refused.has(parameter)) continue;
    faults.add(() => ({
      parameter,
      code: paramsOf(issue).code ?? 'INVALID_PARAMETER',
      detail: issue.code === 'invalid_type' ? `${parameter} is required` : `${parameter} ${messageOf(issue)}`,
    }));
  }
}

/** The members that a body of an operation may have. */
export interface BodyMembers {
  readonly known: readonly string[];
  /** The one that is an array and must be there; null where no body must have one. */
  readonly rows: string | null;
}

/** Reports the faults of a JSON body; `pointer` is a JSON Pointer as URI fragment (RFC 6901, 6). */
export function bodyFaults(error: z.ZodError, body: unknown, members: BodyMembers, faults: Faults): void {
  const { known } = members;
  for (const issue of error.issues) {
    if (issue.path.length === 0 && issue.code === 'invalid_type') {
      faults.add(() => ({ pointer: '#', code: 'INVALID_BODY', detail: noObject(body, members) }));
      continue;
    }
    if (issue.code === 'unrecognized_keys') {
      const names = issue.path.length === 0 ? known : [];
      for (const name of issue.keys) {
        faults.add(() => ({
          pointer: pointer([...issue.path, name]),
          code: 'UNKNOWN_PARAMETER',
          detail: `${quoted(name)} is not a member of this body${advice(name, names)}`,
        }));
      }
      continue;
    }
    faults.add(() => {
      const code = issue.code === 'custom' ? (paramsOf(issue).code ?? 'INVALID_PARAMETER') : 'INVALID_BODY';
      const [member] = issue.path;
      const message = messageOf(issue);
      return {
        pointer: pointer(issue.path),
        code,
        detail: member === undefined ? message : `${String(member)} ${message}`,
      };
    });
  }
}

/** Says how to write what came as something else than an object. */
function noObject(body: unknown, { known, rows }: BodyMembers): string {
  const members = known.slice(0, 3).join(', ');
  if (!Array.isArray(body)) return `The body must be an object with members such as ${members}`;
  return rows === null
    ? `The body is an array and must be an object with members such as ${members}`
    : `The body is an array and must be an object that has the array as its member ${rows}: {"${rows}": […]}`;
}

/** Reads what `fault` has put into an issue. */
const paramsOf = (issue: z.core.$ZodIssue): Partial<FaultParams> =>
  issue.code === 'custom' ? (issue.params ?? {}) : {};

/** Gives the message of an issue, with the name that was probably meant. */
export function messageOf(issue: z.core.$ZodIssue): string {
  const { meant } = paramsOf(issue);
  return meant === undefined ? issue.message : issue.message + suggestion(meant.name, meant.among);
}

/** Writes a JSON Pointer as URI fragment. */
export const pointer = (path: readonly PropertyKey[]): string =>
  `#${path.map((part) => `/${escaped(String(part))}`).join('')}`;

const escaped = (part: string): string =>
  encodeURIComponent(cut(part).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
