import { EXAMPLE_THREAD } from '../../../api/channel/find-thread.ts';
import { EXAMPLE_CONNECTION } from '../../../api/connections/connection.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { makeThread, makeUser, putMailbox } from '../../support/channel.ts';
import { CONNECTED_UNITS } from './connected.ts';

/** Users that examples name: the sender, and a person of the partner. */
const SENDER = '019a0f6e-7c1b-7d52-9f0e-00000000e001';
const ADDRESSEE = '019a0f6e-7c1b-7d52-9f0e-00000000e002';

/** Writes the thread of the examples: a question, the partner's answer, and a deleted message. */
export async function writeExamples(store: OrgStore, own: OrganisationRow, partner: OrganisationRow): Promise<void> {
  const sender = await makeUser(store, own, { id: SENDER, externalId: 'p.lohmann', name: 'Petra Lohmann' });
  await makeUser(store, partner, { id: ADDRESSEE, externalId: 'j.ahlers', name: 'Jens Ahlers' });
  await putMailbox(store, own, { id: box(1), name: 'Zentrale', general: true });
  await putMailbox(store, own, { id: box(2), name: 'Betriebsführung', categories: ['TECHNIK'], users: ['p.lohmann'] });
  const id = await makeThread(store, EXAMPLE_CONNECTION, {
    id: EXAMPLE_THREAD,
    category: 'TECHNIK',
    subject: 'Wartung im Frühjahr',
    assets: CONNECTED_UNITS,
    messages: ['Wann wird gewartet?', 'In der Woche vom 3. Mai; der Plan liegt bei.', 'Vertippt'],
    participants: [{ user: sender.id, side: own.id }],
    createdAt: '2026-10-12T09:15:00.000Z',
  });
  const plan = [{ id: box(3), name: 'Wartungsplan.pdf', mediaType: 'application/pdf', bytes: 48_213 }];
  await store.asOperator(async (session) => {
    await session.run(sql`
      UPDATE messages SET sender_id = ${partner.id}::uuid, via_api = false, user_id = ${ADDRESSEE}::uuid,
        person = 'Jens Ahlers', attachments = ${JSON.stringify(plan)}::text::jsonb
      WHERE thread_id = ${id}::uuid AND number = 2`);
    await session.run(sql`
      UPDATE messages SET text = NULL, deleted_at = written_at WHERE thread_id = ${id}::uuid AND number = 3`);
  });
}

const box = (number: number): string => `019a0f6e-7c1b-7d52-9f0e-00000000f00${number}`;
