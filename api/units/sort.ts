import { z } from 'zod';
import { fieldNamed, UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import type { SortKey } from '../../sql/query/keyset.ts';
import type { Notation } from '../wire/notation.ts';
import { fault } from '../wire/parameters.ts';
import { quoted } from '../wire/quoted.ts';

/** `sort=field:direction`, several separated by commas. */

export interface SortTerm {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

const SORTABLE = new Map(UNIT_FIELDS.filter((field) => field.sortable).map((field) => [field.name, field]));

const NAMES = [...SORTABLE.keys()];

const UNIQUE_KEY = fieldNamed('mastrNummer');

/** Schema of the parameter in a notation: its terms, with each field at most once. */
export const sortTerms = (notation: Notation): z.ZodType<readonly SortTerm[]> =>
  notation.text().transform((raw, context) => {
    const terms: SortTerm[] = [];
    const parts = raw.split(',', NAMES.length + 1);
    if (parts.length > NAMES.length) {
      context.issues.push(
        fault('TOO_MANY_VALUES', `has more than ${NAMES.length} terms; each field can be named once`),
      );
      return z.NEVER;
    }
    for (const part of parts) {
      const [field = '', direction, ...rest] = part.split(':');
      const isWellFormed = (direction === 'asc' || direction === 'desc') && rest.length === 0;
      const meant = isWellFormed ? null : meantTerm(part);
      if (meant !== null) {
        context.issues.push(fault('INVALID_PARAMETER', `has ${quoted(part)}; write ${meant}`));
      } else if (!SORTABLE.has(field)) {
        const detail = `names ${quoted(field)}; it takes ${NAMES.join(', ')}`;
        context.issues.push(fault('NOT_SORTABLE', detail, [], { name: field, among: NAMES }));
      } else if (!isWellFormed) {
        const detail = `has ${quoted(part)}; write ${field}:asc or ${field}:desc`;
        context.issues.push(fault('INVALID_PARAMETER', detail));
      } else if (terms.some((term) => term.field === field)) {
        context.issues.push(fault('INVALID_PARAMETER', `names ${field} twice`));
      } else {
        terms.push({ field, direction });
      }
    }
    return terms;
  });

/** Recognises the notations of other interfaces, and writes them in ours: `-x`, `+x`, `x desc`, `x.asc`. */
function meantTerm(part: string): string | null {
  const { sign, signed, field, direction } = FOREIGN_TERM.exec(part)?.groups ?? {};
  const name = signed ?? field;
  if (name === undefined || !SORTABLE.has(name)) return null;
  return `${name}:${sign === '-' || direction?.toLowerCase().startsWith('desc') ? 'desc' : 'asc'}`;
}

/** A sign before the field, or a direction behind it. A `+` in a query is a blank. */
const FOREIGN_TERM = /^(?:(?<sign>[-+ ])(?<signed>\w+)|(?<field>\w+)[ .:+]+(?<direction>asc|desc)(?:ending)?)$/i;

/** Writes terms as text. */
export const writtenSort = (terms: readonly SortTerm[]): string =>
  terms.map(({ field, direction }) => `${field}:${direction}`).join(',');

/** Returns the sort keys of a list. They end with mastrNummer, so that no two units tie. */
export function sortKeys(terms: readonly SortTerm[]): SortKey[] {
  const keys = terms.map(({ field, direction }) => ({ field: fieldNamed(field), direction }));
  return keys.some(({ field }) => field === UNIQUE_KEY) ? keys : [...keys, { field: UNIQUE_KEY, direction: 'asc' }];
}
