import { refused } from '../../../runtime/command-line/exit.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { type CustomFieldRow, VALUE_TYPES } from '../../../sql/org/records/custom-fields.ts';
import type { Direction } from '../../../sql/org/records/shared-fields.ts';

/**
 * The direction in which a field can cross a connection: a field that the counterpart fills is asked for, whatever else
 * it is. A text says why it cannot cross at all, and what to do.
 */
export function directionOf(
  field: CustomFieldRow,
  organisation: string,
): { readonly direction: Direction } | { readonly reason: string } {
  const { id, name, type, retiredAt, filledByPartner, shared } = field;
  if (retiredAt !== null) {
    return {
      reason: `The field ${name} is retired\nTo restore it: npm run admin -- fields restore ${organisation} ${id}`,
    };
  }
  if (VALUE_TYPES.every((known) => known !== type)) {
    return { reason: `The field ${name} is of type ${type}, which crosses no connection` };
  }
  if (filledByPartner) return { direction: 'REQUEST' };
  if (shared) return { direction: 'SHARE' };
  return {
    reason:
      `The field ${name} is neither shared nor filled by the counterpart\n` +
      `To share it: npm run admin -- fields change ${organisation} ${id} --shared yes`,
  };
}

/** @throws CommandFailed when the field cannot cross a connection */
export function requireDirection(field: CustomFieldRow, { externalId }: OrganisationRow): Direction {
  const found = directionOf(field, externalId);
  if ('direction' in found) return found.direction;
  throw refused(found.reason);
}
