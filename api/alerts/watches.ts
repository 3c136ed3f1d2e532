import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import type { AlertRules } from '../../sql/org/alerts/alerts.ts';
import { COMMISSIONED_WATCH, fieldWatch, STATUS_WATCH, type Watch } from '../../sql/query/watched.ts';
import type { Booked } from '../access/booked.ts';
import { mustHaveModule } from '../access/rights.ts';
import { comparedFields, TELLS } from '../history/compared.ts';
import { Problem } from '../problem/problem.ts';

/** What alerts watch of the fields of units. */

/** Signals are watched by an alert that names those which count. */
const WATCHABLE = new Map(
  comparedFields(READABLE_FIELDS)
    .filter(({ name }) => name !== 'signals')
    .map((field) => [field.name, field]),
);

/** @throws Problem FILTER_CONFLICT for a field that no alert can watch, MISSING_MODULE for one that the organisation may not read */
export function mustBeWatchable(fields: readonly string[], { organisation }: { readonly organisation: Booked }): void {
  for (const name of fields) {
    const field = WATCHABLE.get(name);
    if (field === undefined) {
      throw new Problem('FILTER_CONFLICT', `An alert cannot watch ${name}: ${TELLS}, and no signals`);
    }
    if (field.module !== null) mustHaveModule({ organisation }, field.module, `The field ${name}`);
  }
}

/** What an alert watches, whose fields are watchable. */
export function watchesOf({ template, fields }: Pick<AlertRules, 'template' | 'fields'>): readonly Watch[] {
  switch (template) {
    case 'FIELD_CHANGE':
      return fields.flatMap((name) => WATCHABLE.get(name) ?? []).map(fieldWatch);
    case 'STATUS_CHANGE':
      return [STATUS_WATCH];
    case 'COMMISSIONED':
      return [COMMISSIONED_WATCH];
    default:
      return [];
  }
}

/** Said of alerts that watch fields, where these cannot be compared. */
export const NOT_TOLD =
  'The version cannot tell the state of the one that it is compared with, which an earlier release built: the next night is compared';
