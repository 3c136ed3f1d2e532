import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { file } from '../../../runtime/command-line/parameter.ts';
import type { Attachment } from '../../../sql/org/records/messages.ts';
import { adminCommand } from '../common/admin-command.ts';
import { attachmentSchema, MAX_ATTACHMENTS } from '../common/attachments.ts';
import { refuseFaults, shapeFaults } from '../common/document-faults.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { readJson } from '../common/read-json.ts';
import {
  changeOwnMessage,
  formatChangedMessage,
  messageArgument,
  messageLogFields,
  mustBeWritable,
} from './change-message.ts';

const documentSchema = z
  .array(attachmentSchema, 'must be a list: [{name, mediaType, bytes}]')
  .max(MAX_ATTACHMENTS, `must have at most ${MAX_ATTACHMENTS} attachments`);

export const attachToMessage = adminCommand({
  name: 'messages attach',
  summary: 'say what is attached to a message that the organisation wrote',
  description: [
    'The document is a list of everything that is attached afterwards; [] is nothing. Only name, media type and size are',
    'kept and shown, not the content:',
    '',
    '  [{ "name": "Plan.pdf", "mediaType": "application/pdf", "bytes": 48213 }]',
  ].join('\n'),
  examples: ['stadtwerk 0198a4c2-6e1f-7c3a-9d10-5b2f4e8a7c61 attachments.json'],
  parameters: {
    organisation: organisationArgument,
    message: messageArgument,
    file: file('the document; - reads standard input'),
  },
  run: (store, { organisation, message, file: content }) => {
    const given = readDocument(content);
    return changeOwnMessage(store, organisation, message, (present) => {
      mustBeWritable(present);
      const { text, editedAt, deletedAt } = present;
      return { text, attachments: withIds(given, present.attachments), editedAt, deletedAt };
    });
  },
  format: formatChangedMessage('Changed the attachments of'),
  logFields: messageLogFields,
});

type Named = z.infer<typeof attachmentSchema>;

/** @throws CommandFailed listing every fault */
function readDocument(content: string): readonly Named[] {
  const raw = readJson(content);
  const { data, error } = documentSchema.safeParse(raw);
  return error === undefined ? data : refuseFaults(shapeFaults(error, raw, documentSchema));
}

/** Gives each attachment an id; one that was attached before keeps its own. */
function withIds(given: readonly Named[], present: readonly Attachment[]): Attachment[] {
  const free = [...present];
  return given.map(({ name, mediaType, bytes }) => {
    const place = free.findIndex((each) => each.name === name && each.mediaType === mediaType && each.bytes === bytes);
    const id = (place < 0 ? undefined : free.splice(place, 1)[0]?.id) ?? randomUUIDv7();
    return { id, name, mediaType, bytes };
  });
}
