import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { changeOwnMessage, formatChangedMessage, messageArgument, messageLogFields } from './change-message.ts';

export const deleteMessage = adminCommand({
  name: 'messages delete',
  summary: 'remove text and attachments of a message that the organisation wrote',
  description:
    'Both sides still see that there was a message, from whom and when. This cannot be undone; it is possible on connections that have ended, too.',
  examples: ['stadtwerk 0198a4c2-6e1f-7c3a-9d10-5b2f4e8a7c61'],
  parameters: { organisation: organisationArgument, message: messageArgument },
  run: (store, { organisation, message }) =>
    changeOwnMessage(store, organisation, message, ({ editedAt, deletedAt }) => ({
      text: null,
      attachments: [],
      editedAt,
      deletedAt: deletedAt ?? new Date().toISOString(),
    })),
  format: formatChangedMessage('Deleted'),
  logFields: messageLogFields,
});
