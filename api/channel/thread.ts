import { z } from 'zod';
import { CATEGORIES } from '../../sql/org/records/mailboxes.ts';
import type { ThreadRow } from '../../sql/org/records/threads.ts';

/** The members that list and detail of a thread share. */
export const threadMembers = {
  id: z.uuid(),
  connectionId: z.uuid().describe('The connection over which both sides write'),
  betreff: z.string().nullable().describe('Subject; null when none was given'),
  kategorie: z.enum(CATEGORIES).nullable().describe('Decides the mailbox; null: the general one'),
  anlagen: z.array(z.string()).describe('MaStR numbers of the units that the thread is about'),
  nachrichtenAnzahl: z.int().describe('Messages, deleted ones included'),
  letzteAktivitaetAm: z.iso.datetime().describe('Time of the last message; the list is sorted by it'),
  angelegtAm: z.iso.datetime(),
  geaendertAm: z.iso.datetime().describe('Last change of any kind, also of the text of a message'),
};

export const threadFrom = (row: ThreadRow) => ({
  id: row.id,
  connectionId: row.connectionId,
  betreff: row.subject,
  kategorie: row.category,
  anlagen: row.assets,
  nachrichtenAnzahl: row.messageCount,
  letzteAktivitaetAm: row.lastActivityAt,
  angelegtAm: row.createdAt,
  geaendertAm: row.updatedAt,
});
