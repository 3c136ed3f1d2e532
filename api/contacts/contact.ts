import { z } from 'zod';
import {
  CONTACT_KINDS,
  CONTACT_ORIGINS,
  CONTACT_STATUSES,
  type Contact,
  SALUTATIONS,
} from '../../sql/org/records/contacts.ts';

/** A contact as the interface shows it: interface.md, Contact. */
export const contactShape = z
  .strictObject({
    id: z.uuid(),
    art: z.enum(CONTACT_KINDS).describe('PERSON: an individual; FUNCTION: a role or department'),
    name: z.string().describe('As it is shown'),
    vorname: z.string().nullable(),
    nachname: z.string().nullable(),
    anrede: z.enum(SALUTATIONS).nullable().describe('Only of a PERSON'),
    titel: z.string().nullable().describe('Academic title'),
    email: z.string().nullable(),
    telefon: z.string().nullable(),
    firma: z.string().nullable().describe('Employer of the person, not the organisation that calls'),
    position: z.string().nullable().describe('Function at the employer'),
    herkunft: z.enum(CONTACT_ORIGINS).describe('How the contact came into the directory'),
    status: z.enum(CONTACT_STATUSES).describe('SUGGESTED: not confirmed by anybody yet'),
    angelegtAm: z.iso.datetime(),
    geaendertAm: z.iso.datetime().describe('Last change of any member; the anchor for delta reading'),
  })
  .meta({ id: 'Contact' });

export type ShownContact = z.infer<typeof contactShape>;

export const shownContact = (row: Contact): ShownContact => ({
  id: row.id,
  art: row.kind,
  name: row.name,
  vorname: row.firstName,
  nachname: row.lastName,
  anrede: row.salutation,
  titel: row.title,
  email: row.email,
  telefon: row.telephone,
  firma: row.company,
  position: row.position,
  herkunft: row.origin,
  status: row.status,
  angelegtAm: row.createdAt,
  geaendertAm: row.updatedAt,
});
