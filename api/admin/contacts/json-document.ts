import type { z } from 'zod';
import { type ContactFields, faultBetweenFields } from '../../contacts/fields.ts';
import { refuseFaults, shapeFaults } from '../common/document-faults.ts';
import { readJson } from '../common/read-json.ts';

/** @throws CommandFailed listing every fault with its place, without what stands there */
export function readContactDocument<Shape extends z.ZodType>(text: string, shape: Shape): z.output<Shape> {
  const raw = readJson(text);
  const { data, error } = shape.safeParse(raw);
  if (error !== undefined) refuseFaults(shapeFaults(error, raw, shape));
  return data as z.output<Shape>;
}

/** @throws CommandFailed when fields do not go together */
export function refuseFaultBetweenFields(fields: ContactFields): void {
  const fault = faultBetweenFields(fields);
  if (fault !== null) refuseFaults([{ path: [fault.name], message: fault.message }]);
}
