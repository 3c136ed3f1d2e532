import type { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { refuseFaults, shapeFaults } from '../common/document-faults.ts';
import { type ContactFields, faultBetweenFields } from './fields.ts';

/** @throws CommandFailed listing every fault with its place, without what stands there */
export function readContactDocument<Shape extends z.ZodType>(text: string, shape: Shape): z.output<Shape> {
  const raw = parsed(text);
  const { data, error } = shape.safeParse(raw);
  if (error !== undefined) refuseFaults(shapeFaults(error, raw, shape));
  return data as z.output<Shape>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message repeats a piece of the text; the place is enough.
    const place = /line \d+ column \d+/.exec((error as Error).message)?.[0];
    throw refused(`The document is no JSON${place === undefined ? '' : `: see ${place}`}. Nothing was done`);
  }
}

/** @throws CommandFailed when fields do not go together */
export function refuseFaultBetweenFields(fields: ContactFields): void {
  const fault = faultBetweenFields(fields);
  if (fault !== null) refuseFaults([{ path: [fault.name], message: fault.message }]);
}
