import { isDeepStrictEqual } from 'node:util';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument } from '../../../runtime/command-line/parameter.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import {
  changeMessage,
  type MessageChange,
  messageToChange,
  type WrittenMessageRow,
  writtenMessageRow,
} from '../../../sql/org/records/message-changes.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { findOrganisation } from '../common/find-organisation.ts';
import { uuid } from '../common/schemas.ts';
import { moment } from '../common/text-table.ts';

/** The common part of the commands that change a message: only the side that wrote it may. */

export const messageArgument = argument('its id, as threads show lists it', uuid());

/** A message after a command. */
export interface ChangedMessage {
  readonly organisation: string;
  readonly message: { readonly id: string; readonly threadId: string } & MessageChange;
  readonly changed: boolean;
}

/**
 * Changes a message that the organisation wrote. @param change the new state of the message
 * @throws CommandFailed for a message of others
 */
export const changeOwnMessage = (
  store: OrgStore,
  reference: string,
  messageId: string,
  change: (present: WrittenMessageRow, organisation: OrganisationRow) => MessageChange,
): Promise<ChangedMessage> =>
  store.asOperator(async (session) => {
    const organisation = await findOrganisation(session, reference);
    const present = await findMessage(session, organisation, messageId);
    const { id, threadId, text, attachments, editedAt, deletedAt } = present;
    const before: MessageChange = { text, attachments, editedAt, deletedAt };
    const after = change(present, organisation);
    const changed = !isDeepStrictEqual(before, after);
    if (changed) await session.run(changeMessage(id, after));
    return { organisation: organisation.externalId, message: { id, threadId, ...after }, changed };
  });

async function findMessage(
  session: Session,
  { id: organisationId, externalId }: OrganisationRow,
  id: string,
): Promise<WrittenMessageRow> {
  const found = await session.row(writtenMessageRow, messageToChange(organisationId, id));
  if (found === null) {
    throw refused(
      `${externalId} has no message ${id} in its threads\n` +
        `Its threads: npm run admin -- threads list ${externalId}; their messages: npm run admin -- threads show ${externalId} <thread>`,
    );
  }
  if (!found.own) throw refused(`${found.counterpartName} wrote the message ${id}, and only that side changes it`);
  return found;
}

/** @throws CommandFailed where nothing can be written: the message was deleted, or the connection is not accepted */
export function mustBeWritable({ id, deletedAt, connectionStatus }: WrittenMessageRow): void {
  if (deletedAt !== null) throw refused(`The message ${id} was deleted on ${moment(deletedAt)}, and stays so`);
  if (connectionStatus !== 'ACCEPTED') {
    throw refused(
      `The connection of the thread has ended (${connectionStatus}), so nothing is written any more. ` +
        'The message can still be deleted',
    );
  }
}

/** Describes the change of a message for people. */
export const formatChangedMessage =
  (done: string) =>
  ({ organisation, message, changed }: ChangedMessage): string =>
    changed ? `${done} the message ${message.id} of ${organisation}.` : `The message ${message.id} is as before.`;

export const messageLogFields = ({ organisation, message, changed }: ChangedMessage): object | null =>
  changed ? { organisation, message: message.id } : null;
