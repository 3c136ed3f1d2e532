import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { withoutStatementTimeout } from '../common/statement-timeout.ts';
import { FORMAT } from './document.ts';
import { SECTIONS } from './sections.ts';

export const exportOrganisation = adminCommand({
  name: 'export',
  summary: 'one organisation with everything, as a JSON document',
  description:
    `The document has the organisation, ${SECTIONS.map(({ name }) => name).join(', ')}. Keys are in it by prefix and ` +
    'hash of the secret: nobody can call with it, but they go on working where it is imported. Keep it to yourself all the same.',
  examples: ['stadtwerk --out copy.json', 'stadtwerk > copy.json'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }, { settings }) =>
    store.asOperator(async (session) => {
      await withoutStatementTimeout(session);
      const organisation = await findOrganisation(session, reference);
      const lists: Record<string, readonly object[]> = {};
      for (const { name, read } of SECTIONS) lists[name] = await read({ session, organisation, settings });
      return { format: FORMAT, organisation, ...lists };
    }),
  format: (document) => JSON.stringify(document, null, 2),
  outFile: {
    content: (document) => `${JSON.stringify(document, null, 2)}\n`,
    summary: ({ format, organisation, ...lists }) => ({
      ...{ format, organisation: organisation.externalId },
      ...Object.fromEntries(Object.entries<readonly object[]>(lists).map(([name, items]) => [name, items.length])),
    }),
  },
});
