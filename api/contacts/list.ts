import { z } from 'zod';
import { CONTACT_KINDS, type Contact, type ContactPlace } from '../../sql/org/records/contacts.ts';
import { operation } from '../operation/operation.ts';
import { refuseUnreadable } from '../secrets/unreadable.ts';
import { queryNotation } from '../wire/notation.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { oneWord } from '../wire/parameters.ts';
import { searchWords } from '../wire/search-words.ts';
import { contactShape, shownContact } from './contact.ts';
import { findContacts } from './find.ts';

const PATH = '/v1/contacts';

/** The contact directory of the organisation. */
export const listContacts = operation({
  id: 'contacts.list',
  method: 'GET',
  path: PATH,
  summary: 'The contact directory, by name',
  description:
    'Sorted as in a German directory, equal names by id. What `suche` ' +
    'is asked for is kept neither in logs nor in the audit log.',
  access: 'api',
  scope: 'contacts:read',
  module: 'workspace',
  cost: 'standard',
  source: 'service',
  personalQuery: true,
  query: z.strictObject({
    ...pageParameters,
    kind: oneWord(CONTACT_KINDS).optional().describe('Only individuals, or only roles and departments'),
    suche: searchWords(queryNotation)
      .optional()
      .describe('Each word must be part of name or company; case and accents do not count'),
  }),
  answer: z.strictObject({ data: z.array(contactShape), meta: z.strictObject(listMetaShape) }),
  problems: ['TOO_MANY_VALUES', 'SERVICE_UNAVAILABLE'],
  example: { query: 'kind=PERSON&suche=stadtwerk' },
  async handle({ query, search, service, caller, records }) {
    const { id } = caller.organisation;
    const { kind = null, suche: terms = [] } = query;
    const page = await pageOf<Contact>({
      path: PATH,
      query,
      search,
      // The sort key is the name of a person, and addresses with a cursor stand in the logs of callers and proxies.
      service: { settings: service.settings, cursors: service.sealedCursors },
      question: [id, kind, terms],
      keyOf: ({ name, id }) => [name, id],
      read: (after, limit) =>
        findContacts(
          { records, keyring: service.keyring, organisationId: id },
          kind,
          terms,
          after as ContactPlace,
          limit,
        ),
    }).catch(refuseUnreadable('Contacts'));
    return { headers: page.headers, body: { data: page.rows.map(shownContact), meta: page.meta } };
  },
});
