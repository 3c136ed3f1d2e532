import { z } from 'zod';
import { entryOf } from '../../../runtime/present.ts';
import {
  allValuesOf,
  DAY_PRECISIONS,
  type FieldValue,
  insertValues,
  MAX_VALUES,
  movedValuesRow,
  removeValues,
} from '../../../sql/org/records/custom-field-values.ts';
import {
  type CustomFieldRow,
  customFieldRow,
  customFieldsOf,
  type FieldType,
  MAX_FIELDS,
} from '../../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../../sql/org/records/german-order.ts';
import { releaseOn, standingReleaseRow, standingReleasesOf } from '../../../sql/org/records/releases.ts';
import { sql } from '../../../sql/org/statement.ts';
import { directionOf } from '../../connections/direction.ts';
import { changeFaults, choiceList, definitionFaults, lockFields, writeFields } from '../../custom-fields/rules.ts';
import { firstOfMonth, readValues, type ValueInput } from '../../custom-fields/value-input.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { calendarDay, mastrNumber } from '../../wire/parameters.ts';
import { quoted } from '../../wire/quoted.ts';
import type { Asked } from '../common/organisation-command.ts';
import { storable, timestampOption, uuid } from '../common/schemas.ts';
import { type Complaint, rowSection, section, unknownNames } from './section.ts';

/** The organisation's own fields, what is written in them, and where they are released. */

const lock = ({ session, organisation }: Asked) => lockFields(session, organisation.id);

/** In a document a field has its name, in the store its id. */
async function fieldsOf({ session, organisation }: Asked) {
  const fields = await session.rows(customFieldRow, customFieldsOf(organisation.id));
  return {
    byName: new Map(fields.map((field) => [field.name, field])),
    byId: new Map(fields.map((field) => [field.id, field])),
  };
}

const NO_FIELD = 'which is no field';

/** Definitions, with retired ones. */
export const customFields = rowSection({
  ...{ name: 'customFields', table: sql`custom_fields`, key: 'name', row: customFieldRow, lock },
  members: { name: line(NAME_LENGTH), choices: choiceList() },
  defaults: { multiple: false, choices: [], filledByPartner: false, shared: false, retiredAt: null },
  read: async ({ session, organisation }) =>
    inGermanOrder(await session.rows(customFieldRow, customFieldsOf(organisation.id))),
  write: ({ session, organisation }, items) => writeFields(session, organisation.id, items),
  complaintOfList: ({ length }) =>
    length > MAX_FIELDS && `would make ${length} fields, retired ones included; ${MAX_FIELDS} are the most`,
  rules:
    async ({ session, organisation }) =>
    async (field, present) => {
      const changes = present === null ? [] : await changeFaults(session, organisation.id, present, field);
      return [...definitionFaults(field), ...changes].map(({ member, message }) => [message, member] as const);
    },
});

const day = z
  .strictObject({ day: calendarDay(), precision: z.enum(DAY_PRECISIONS).default('DAY') })
  .transform(({ day, precision }) => ({ day: precision === 'MONTH' ? firstOfMonth(day) : day, precision }));

const DAY_FORM = 'a day such as {"day": "2026-11-01", "precision": "DAY"}';

const value = z.union([storable(), z.number(), day], `must be a text, a number, or ${DAY_FORM}`);

/** A text, a number, or a day. */
type MovedValue = z.infer<typeof value>;

const valuesShape = z.strictObject({
  /** Name of the field. */
  field: line(NAME_LENGTH),
  mastrNumber: mastrNumber(),
  /** Id of the partner that answered; null = the organisation itself. */
  writer: uuid().nullable(),
  values: z.array(value).min(1, 'must have a value').max(MAX_VALUES, `must not have more than ${MAX_VALUES} values`),
  updatedAt: timestampOption(),
});

/** All values of one writer in one field of a unit, in their order. */
type MovedValues = z.infer<typeof valuesShape>;

/** Values that the organisation wrote into its own fields, and answers of partners in them. */
export const customFieldValues = section<MovedValues>({
  ...{ name: 'customFieldValues', key: ['field', 'mastrNumber', 'writer'], lock, shape: valuesShape },
  defaults: (now) => ({ writer: null, updatedAt: now }),
  async read(place) {
    const { byId } = await fieldsOf(place);
    const { session, organisation } = place;
    const rows = await session.rows(movedValuesRow, allValuesOf(organisation.id));
    return rows.map(({ fieldId, mastrNumber, writerId, values, updatedAt }) => ({
      field: entryOf(byId, fieldId).name,
      mastrNumber,
      writer: writerId === organisation.id ? null : writerId,
      values: values.map(movedValue),
      updatedAt,
    }));
  },
  async write(place, items) {
    const { byName } = await fieldsOf(place);
    const { session, organisation } = place;
    const rows = items.map(({ field: name, writer, values, ...rest }) => {
      const field = entryOf(byName, name);
      const read = readValues(field, values.map(inputOf));
      if ('faults' in read) throw new Error(`The values of ${name} do not fit`);
      return { ...rest, fieldId: field.id, writerId: writer ?? organisation.id, values: read.values };
    });
    await session.run(removeValues(organisation.id, rows));
    await session.run(insertValues(organisation.id, rows));
  },
  async rules(place) {
    const { byName } = await fieldsOf(place);
    return (item) => {
      const field = byName.get(item.field);
      return field === undefined
        ? unknownNames([item.field], byName, NO_FIELD, 'field')
        : valueComplaints(item, field, place.organisation.id);
    };
  },
});

function movedValue({ text, number, day, dayPrecision }: FieldValue): MovedValue {
  if (day !== null) return { day, precision: dayPrecision ?? 'DAY' };
  return text ?? number ?? '';
}

function inputOf(moved: MovedValue): ValueInput {
  if (typeof moved === 'string') return { text: moved };
  return typeof moved === 'number' ? { zahl: moved } : { datum: moved.day, datumsgenauigkeit: moved.precision };
}

/** The members that a document has for a value of each type; the rules for values speak of the slots of the interface. */
const FORMS = { string: 'a text', number: 'a number', object: DAY_FORM } as const;

const formOf = (type: FieldType): keyof typeof FORMS | null => {
  if (type === 'FILE' || type === 'CONTACT') return null;
  if (type === 'NUMBER') return 'number';
  return type === 'DATE' ? 'object' : 'string';
};

function valueComplaints({ writer, values }: MovedValues, field: CustomFieldRow, own: string): Complaint[] {
  const { name, type, filledByPartner } = field;
  if (writer === own) return [['must be null for values of the organisation itself', 'writer']];
  if (filledByPartner !== (writer !== null)) {
    const who = filledByPartner ? 'the id of a partner, who fills this field' : 'null: no partner fills this field';
    return [[`must be ${who}`, 'writer']];
  }
  const form = formOf(type);
  const misformed = values.flatMap((value, place) => (form === null || typeof value === form ? [] : [place]));
  if (form !== null && misformed.length > 0) {
    const message = `must be ${FORMS[form]}, since ${quoted(name)} is of type ${type}`;
    return misformed.map((place) => [message, 'values', place]);
  }
  const read = readValues(field, values.map(inputOf));
  if ('values' in read) return [read.values.length !== values.length && ['must not have an empty text', 'values']];
  return read.faults.map((message, place) => message !== null && [`does not fit: ${message}`, 'values', place]);
}

const releaseShape = z.strictObject({
  /** Name of the field. */
  field: line(NAME_LENGTH),
  mastrNumber: mastrNumber(),
  releasedAt: timestampOption(),
});

/** Fields released on units, for whichever connection has them in its scope. Those for one connection are in its item. */
export const standingReleases = section<z.infer<typeof releaseShape>>({
  ...{ name: 'standingReleases', key: ['field', 'mastrNumber'], lock, shape: releaseShape },
  defaults: (now) => ({ releasedAt: now }),
  async read(place) {
    const { byId } = await fieldsOf(place);
    const rows = await place.session.rows(standingReleaseRow, standingReleasesOf(place.organisation.id));
    return rows.map(({ fieldId, ...row }) => ({ field: entryOf(byId, fieldId).name, ...row }));
  },
  async write(place, items) {
    const { byName } = await fieldsOf(place);
    const rows = items.map(({ field, ...row }) => ({ fieldId: entryOf(byName, field).id, ...row }));
    await place.session.run(releaseOn(place.organisation.id, rows));
  },
  // A release that is there keeps its time.
  merge: (present) => present,
  async rules(place) {
    const { byName } = await fieldsOf(place);
    return ({ field: name }) => {
      const field = byName.get(name);
      const reason = 'it is retired, of a type without values, or neither shared nor filled by the counterpart';
      const crosses = field !== undefined && 'direction' in directionOf(field);
      return [
        ...unknownNames([name], byName, NO_FIELD, 'field'),
        field !== undefined && !crosses && [`names ${name}, which crosses no connection: ${reason}`, 'field'],
      ];
    };
  },
});
