import type { z } from 'zod';
import { BLOCKS, type UnitField } from '../../sql/catalogue/field.ts';
import { READABLE_FIELDS, UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import type { Module } from '../../sql/org/rights.ts';
import type { Caller } from '../access/caller.ts';
import { mustHaveModule } from '../access/module.ts';
import type { Notation } from '../wire/notation.ts';
import { fault } from '../wire/parameters.ts';
import { quoted } from '../wire/quoted.ts';

/** Selects the fields of an answer: the base form with the blocks of `include`, or those of `fields`. */

/** The names that `fields` takes, including fields that this caller does not get. `links` is in every unit anyway. */
const NAMES = [...UNIT_FIELDS.filter(({ filterOnly }) => filterOnly === null).map(({ name }) => name), 'links'];

/** `fields`, in a notation. */
export const fieldNames = (notation: Notation): z.ZodType<readonly string[]> =>
  notation.list({ most: NAMES.length }).transform((names, context) => {
    for (const name of names.filter((name) => !NAMES.includes(name))) {
      const why = UNIT_FIELDS.some((field) => field.name === name)
        ? 'which can be filtered by but not read'
        : 'which is no field; GET /v1/units/fields lists them';
      context.issues.push(fault('UNKNOWN_FIELD', `has ${quoted(name)}, ${why}`, [], { name, among: NAMES }));
    }
    return names;
  });

/** `include`, in a notation. */
export const blockNames = (notation: Notation): z.ZodType<readonly string[]> => notation.list({ closed: BLOCKS });

interface FieldSelection {
  readonly fields?: readonly string[] | undefined;
  readonly include?: readonly string[] | undefined;
}

/** Returns every field that an organisation with these modules gets. */
export const grantedFields = (modules: ReadonlySet<Module>): UnitField[] =>
  READABLE_FIELDS.filter(({ module }) => module === null || modules.has(module));

/**
 * Returns the fields to show. Where `fields` is given, it alone selects them, but grants none.
 * @throws Problem MISSING_MODULE for a block that needs one
 */
export function chosenFields({ fields, include = [] }: FieldSelection, caller: Caller): UnitField[] {
  for (const block of include) {
    const module = UNIT_FIELDS.find((field) => field.block === block)?.module ?? null;
    if (module !== null) mustHaveModule(caller, module, `The block ${block}`);
  }
  return grantedFields(caller.organisation.modules).filter(({ name, block }) =>
    fields === undefined ? block === null || include.includes(block) : name === 'mastrNummer' || fields.includes(name),
  );
}
