import { z } from 'zod';
import {
  allValuesOf,
  DAY_PRECISIONS,
  type FieldValue,
  insertValues,
  MAX_VALUES,
  movedValuesRow,
  removeValues,
} from '../../../sql/org/records/custom-field-values.ts';
import { customFieldRow, customFieldsOf, type FieldType } from '../../../sql/org/records/custom-fields.ts';
import type { Session } from '../../../sql/org/store.ts';
import { lockFields } from '../../custom-fields/rules.ts';
import { firstOfMonth, readValues, type ValueField, type ValueInput } from '../../custom-fields/value-input.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { calendarDay, mastrNumber } from '../../wire/parameters.ts';
import { quoted } from '../../wire/quoted.ts';
import { storable, timestampOption, uuid } from '../common/schemas.ts';
import { type Fault, type Pair, section } from './section.ts';

/** All values of one writer in one field of a unit. */
interface MovedValues {
  /** Name of the field. */
  readonly field: string;
  readonly mastrNumber: string;
  /** Id of the partner that answered; null = the organisation itself. */
  readonly writer: string | null;
  /** In their order. */
  readonly values: readonly MovedValue[];
  readonly updatedAt: string;
}

/** A text, a number, or a day. */
type MovedValue = string | number | { readonly day: string; readonly precision: (typeof DAY_PRECISIONS)[number] };

const NAME = 'customFieldValues';

const day = z
  .strictObject({ day: calendarDay(), precision: z.enum(DAY_PRECISIONS).default('DAY') })
  .transform(({ day, precision }) => ({ day: precision === 'MONTH' ? firstOfMonth(day) : day, precision }));

const value = z.union(
  [storable(), z.number(), day],
  'must be a text, a number, or a day such as {"day": "2026-11-01", "precision": "DAY"}',
);

/** Values that the organisation wrote into its own fields, and answers of partners in them. */
export const customFieldValues = section<MovedValues>({
  name: NAME,
  shape: z.strictObject({
    field: line(NAME_LENGTH),
    mastrNumber: mastrNumber(),
    writer: uuid().nullable(),
    values: z.array(value).min(1, 'must have a value').max(MAX_VALUES, `must not have more than ${MAX_VALUES} values`),
    updatedAt: timestampOption(),
  }),
  key: ['field', 'mastrNumber', 'writer'],
  defaults: (now) => ({ writer: null, updatedAt: now }),
  async read(session, organisationId) {
    const names = new Map((await fieldsOf(session, organisationId)).map(({ id, name }) => [id, name]));
    const rows = await session.rows(movedValuesRow, allValuesOf(organisationId));
    return rows.map(({ fieldId, mastrNumber, writerId, values, updatedAt }) => ({
      field: names.get(fieldId) ?? '',
      mastrNumber,
      writer: writerId === organisationId ? null : writerId,
      values: values.map(movedValue),
      updatedAt,
    }));
  },
  async write(session, organisationId, items) {
    const fields = new Map((await fieldsOf(session, organisationId)).map((field) => [field.name, field]));
    const rows = items.map(({ field: name, writer, values, ...rest }) => {
      const field = fields.get(name);
      const read = field === undefined ? null : readValues(field, values.map(inputOf));
      if (field === undefined || read === null || 'faults' in read) throw new Error(`The values of ${name} do not fit`);
      return { ...rest, fieldId: field.id, writerId: writer ?? organisationId, values: read.values };
    });
    await session.run(removeValues(organisationId, rows));
    await session.run(insertValues(organisationId, rows));
  },
  async faults(session, organisationId, pairs) {
    await lockFields(session, organisationId);
    const fields = new Map((await fieldsOf(session, organisationId)).map((field) => [field.name, field]));
    return pairs.flatMap((pair) => faultsOf(pair, fields.get(pair.updated.field), organisationId));
  },
});

const fieldsOf = (session: Session, organisationId: string) =>
  session.rows(customFieldRow, customFieldsOf(organisationId));

function movedValue({ text, number, day, dayPrecision }: FieldValue): MovedValue {
  if (day !== null) return { day, precision: dayPrecision ?? 'DAY' };
  return text ?? number ?? '';
}

function inputOf(moved: MovedValue): ValueInput {
  if (typeof moved === 'string') return { text: moved };
  return typeof moved === 'number' ? { zahl: moved } : { datum: moved.day, datumsgenauigkeit: moved.precision };
}

/** The members that a document has for a value of each type. */
const FORMS = {
  string: 'a text',
  number: 'a number',
  object: 'a day such as {"day": "2026-11-01", "precision": "DAY"}',
} as const;

const FORM_OF: Readonly<Partial<Record<FieldType, keyof typeof FORMS>>> = {
  TEXT: 'string',
  LONG_TEXT: 'string',
  DROPDOWN: 'string',
  URL: 'string',
  NUMBER: 'number',
  DATE: 'object',
};

/** The rules for values speak of the slots of the interface, which a document does not have. */
function formFaults({ name, type }: ValueField, values: readonly MovedValue[]): { place: number; message: string }[] {
  const form = FORM_OF[type];
  if (form === undefined) return [];
  const message = `must be ${FORMS[form]}, since ${quoted(name)} is of type ${type}`;
  return values.flatMap((value, place) => (typeof value === form ? [] : [{ place, message }]));
}

function faultsOf(
  { index, updated: { field: name, writer, values } }: Pair<MovedValues>,
  field: (ValueField & { readonly filledByPartner: boolean }) | undefined,
  organisationId: string,
): Fault[] {
  const fault = (message: string, ...path: PropertyKey[]) => ({ path: [NAME, index, ...path], message });
  if (field === undefined) return [fault(`names ${name}, which is no field of the organisation`, 'field')];
  if (writer === organisationId) return [fault('must be null for values of the organisation itself', 'writer')];
  if (field.filledByPartner !== (writer !== null)) {
    const who = field.filledByPartner
      ? 'the id of a partner, who fills this field'
      : 'null: no partner fills this field';
    return [fault(`must be ${who}`, 'writer')];
  }
  const misformed = formFaults(field, values);
  if (misformed.length > 0) return misformed.map(({ place, message }) => fault(message, 'values', place));
  const read = readValues(field, values.map(inputOf));
  if ('values' in read)
    return read.values.length === values.length ? [] : [fault('must not have an empty text', 'values')];
  return read.faults.flatMap((message, place) =>
    message === null ? [] : [fault(`does not fit: ${message}`, 'values', place)],
  );
}
