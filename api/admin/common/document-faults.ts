import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { suggestion } from '../../wire/nearest.ts';
import { KINDS } from '../../wire/plain-words.ts';
import { messageOf } from '../../wire/violations.ts';

/**
 * Reports faults of a document to people, one per line, with their place as a JSON Pointer (RFC 6901, as URI fragment).
 */

const MAX_ENTRIES = 50;

/** A reason why a document cannot be imported; the path begins at the document. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  /** Completes the place: "must be …". */
  readonly message: string;
}

/** @throws CommandFailed always; nothing of the document was imported */
export function refuseFaults(faults: readonly Fault[]): never {
  const lines = faults.slice(0, MAX_ENTRIES).map(({ path, message }) => `  ${pointer(path)} ${message}`);
  if (faults.length > MAX_ENTRIES) lines.push(`  … and ${faults.length - MAX_ENTRIES} more`);
  throw refused(['Nothing was taken in, the document is not valid:', ...lines].join('\n'));
}

/**
 * Converts the faults that a schema found.
 * @param document as it was read; it shows whether a member is missing or wrong
 */
export function shapeFaults(error: z.ZodError, document: unknown, shape: z.ZodType): Fault[] {
  return error.issues.flatMap((issue): Fault[] => {
    const { path } = issue;
    if (issue.code === 'invalid_type') return [{ path, message: typeFault(issue, at(document, path) === undefined) }];
    if (issue.code !== 'unrecognized_keys') return [{ path, message: sentence(messageOf(issue)) }];
    const known = memberNames(shape, path);
    return issue.keys.map((name) => ({
      path: [...path, name],
      message: `is not a member that is known here${suggestion(name, known)}`,
    }));
  });
}

/** Says what a value must be, in our own words where the schema has none. */
function typeFault(issue: z.core.$ZodIssueInvalidType, isMissing: boolean): string {
  if (isMissing) return 'is required';
  const type = KINDS[issue.expected];
  return type !== undefined && issue.message.startsWith('Invalid input') ? `must be ${type}` : sentence(issue.message);
}

/** Our own messages complete the place; those of zod are whole sentences. */
const sentence = (message: string): string => (/^[A-Z]/.test(message) ? `is not valid: ${message}` : message);

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, part) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[part], value);

/** The members that the schema allows at a place. */
function memberNames(shape: z.ZodType, [part, ...rest]: readonly PropertyKey[]): string[] {
  if (shape instanceof z.ZodOptional)
    return memberNames(shape.unwrap() as z.ZodType, part === undefined ? [] : [part, ...rest]);
  if (part === undefined) return shape instanceof z.ZodObject ? Object.keys(shape.shape) : [];
  if (shape instanceof z.ZodArray) return memberNames(shape.element as z.ZodType, rest);
  const member = shape instanceof z.ZodObject ? (shape.shape as Record<PropertyKey, z.ZodType>)[part] : undefined;
  return member === undefined ? [] : memberNames(member, rest);
}

const pointer = (path: readonly PropertyKey[]): string =>
  `#${path.map((part) => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
