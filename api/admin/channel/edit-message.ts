import { refused } from '../../../runtime/command-line/exit.ts';
import { file } from '../../../runtime/command-line/parameter.ts';
import { messageText } from '../../channel/message-text.ts';
import { messageOf } from '../../wire/violations.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import {
  changeOwnMessage,
  formatChangedMessage,
  messageArgument,
  messageLogFields,
  mustBeWritable,
} from './change-message.ts';

export const editMessage = adminCommand({
  name: 'messages edit',
  summary: 'replace the text of a message that the organisation wrote',
  description: [
    'Both sides see the new text, and that the message was edited; the order of threads stays. The text comes from a file, as',
    'arguments can be read by other users of the machine; a line break at its end does not count.',
  ].join('\n'),
  examples: [
    'stadtwerk 0198a4c2-6e1f-7c3a-9d10-5b2f4e8a7c61 text.txt',
    'stadtwerk 0198a4c2-6e1f-7c3a-9d10-5b2f4e8a7c61 -',
  ],
  parameters: {
    organisation: organisationArgument,
    message: messageArgument,
    file: file('the new text; - reads standard input'),
  },
  run: (store, { organisation, message, file: content }) => {
    const { data: text, error } = messageText.safeParse(content.replace(/\r?\n$/, ''));
    if (error !== undefined) throw refused(`The text ${error.issues.map(messageOf).join('; ')}. Nothing was changed`);
    return changeOwnMessage(store, organisation, message, (present) => {
      mustBeWritable(present);
      const { attachments, deletedAt } = present;
      const editedAt = text === present.text ? present.editedAt : new Date().toISOString();
      return { text, attachments, editedAt, deletedAt };
    });
  },
  format: formatChangedMessage('Edited'),
  logFields: messageLogFields,
});
