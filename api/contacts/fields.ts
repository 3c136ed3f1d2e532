import { z } from 'zod';
import {
  CONTACT_KINDS,
  CONTACT_ORIGINS,
  CONTACT_STATUSES,
  type Contact,
  SALUTATIONS,
} from '../../sql/org/records/contacts.ts';
import { email } from '../wire/email.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';

/** The fields of a contact that commands write, in JSON and in CSV, under the names of the interface. */

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

/** A telephone number as people write it: `+49 30 1234-0 (Zentrale)`. */
const telephone = () => line(50).regex(/[0-9]/, 'must have digits');

const writtenContact = z.strictObject({
  art: oneOf(CONTACT_KINDS),
  name: line(NAME_LENGTH),
  vorname: line(NAME_LENGTH).nullable(),
  nachname: line(NAME_LENGTH).nullable(),
  anrede: oneOf(SALUTATIONS).nullable(),
  titel: line(NAME_LENGTH).nullable(),
  email: email().nullable(),
  telefon: telephone().nullable(),
  firma: line(NAME_LENGTH).nullable(),
  position: line(NAME_LENGTH).nullable(),
  herkunft: oneOf(CONTACT_ORIGINS),
  status: oneOf(CONTACT_STATUSES),
});

export type FieldName = keyof z.infer<typeof writtenContact>;

export const FIELD_NAMES = Object.keys(writtenContact.shape) as readonly FieldName[];

export const REQUIRED_FIELDS = ['art', 'name'] as const satisfies readonly FieldName[];

/** The value of each field. */
export const FIELD_SHAPES: Readonly<Record<FieldName, z.ZodType>> = writtenContact.shape;

export const isEmptiable = (name: FieldName): boolean => FIELD_SHAPES[name] instanceof z.ZodNullable;

/** Some fields of a contact; null empties one. */
export const contactChange = writtenContact.partial();

export type ContactChange = z.infer<typeof contactChange>;

export const newContact = contactChange.required({ art: true, name: true });

/** A contact without what the service gives it. */
export type ContactFields = Omit<Contact, 'id' | 'createdAt' | 'updatedAt'>;

const MEMBERS = {
  art: 'kind',
  name: 'name',
  vorname: 'firstName',
  nachname: 'lastName',
  anrede: 'salutation',
  titel: 'title',
  email: 'email',
  telefon: 'telephone',
  firma: 'company',
  position: 'position',
  herkunft: 'origin',
  status: 'status',
} as const satisfies Record<FieldName, keyof ContactFields>;

/** The value of each member of a contact that is written. */
export const MEMBER_SHAPES = Object.fromEntries(
  FIELD_NAMES.map((name) => [MEMBERS[name], FIELD_SHAPES[name]]),
) as Record<keyof ContactFields, z.ZodType>;

/** A contact with these fields instead of its own; an absent one stays. */
export const changed = <Row extends ContactFields>(contact: Row, change: ContactChange): Row => ({
  ...contact,
  ...Object.fromEntries(
    FIELD_NAMES.filter((name) => change[name] !== undefined).map((name) => [MEMBERS[name], change[name]]),
  ),
});

/** Fields of a new contact that says nothing about them. */
export const EMPTY_CONTACT = {
  firstName: null,
  lastName: null,
  salutation: null,
  title: null,
  email: null,
  telephone: null,
  company: null,
  position: null,
  status: 'CONFIRMED',
} as const;

/** The fields of a new contact. */
export const fieldsOf = (written: z.infer<typeof newContact>, origin: ContactFields['origin']): ContactFields =>
  changed({ ...EMPTY_CONTACT, kind: written.art, name: written.name, origin }, written);

/** A text that two contacts share exactly when all of their fields are equal. */
export const fingerprint = (contact: ContactFields): string =>
  JSON.stringify(Object.values(MEMBERS).map((member) => contact[member]));

/** Returns what is wrong with the fields together, and which field it is; null when nothing is. */
export const faultBetweenFields = ({ kind, salutation }: ContactFields): { name: FieldName; message: string } | null =>
  kind === 'FUNCTION' && salutation !== null
    ? { name: 'anrede', message: 'is only for art PERSON; a FUNCTION has none' }
    : null;
