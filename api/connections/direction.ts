import {
  type CustomFieldRow,
  customFieldRow,
  customFieldsOf,
  VALUE_TYPES,
} from '../../sql/org/records/custom-fields.ts';
import type { Direction } from '../../sql/org/records/shared-fields.ts';
import type { Session } from '../../sql/org/store.ts';
import { rowOfId } from '../problem/own-rows.ts';
import { Problem } from '../problem/problem.ts';

/**
 * The direction in which a field can cross a connection: a field that the counterpart fills is asked for, whatever else
 * it is. A text says why it cannot cross at all.
 */
export function directionOf({
  name,
  type,
  retiredAt,
  filledByPartner,
  shared,
}: CustomFieldRow): { readonly direction: Direction } | { readonly reason: string } {
  if (retiredAt !== null) return { reason: `The field ${name} is retired` };
  if (VALUE_TYPES.every((known) => known !== type)) {
    return { reason: `The field ${name} is of type ${type}, which crosses no connection` };
  }
  if (filledByPartner) return { direction: 'REQUEST' };
  if (shared) return { direction: 'SHARE' };
  return { reason: `The field ${name} is neither shared nor filled by the counterpart` };
}

/** @throws Problem UNPROCESSABLE when the field cannot cross a connection */
export function requireDirection(field: CustomFieldRow): Direction {
  const found = directionOf(field);
  if ('direction' in found) return found.direction;
  throw new Problem('UNPROCESSABLE', found.reason);
}

/** Finds a field of the organisation, retired or not. @throws Problem NOT_FOUND, alike for a field of others */
export const ownField = async (session: Session, organisationId: string, id: string): Promise<CustomFieldRow> =>
  rowOfId(await session.rows(customFieldRow, customFieldsOf(organisationId)), id, 'field', 'GET /v1/custom-fields');
