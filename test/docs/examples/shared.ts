import { EXAMPLE_CONNECTION } from '../../../api/connections/connection.ts';
import { EXAMPLE_REQUEST } from '../../../api/shared-fields/shared-field.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { makeCrossingField, openField, writeTexts } from '../../support/shared-fields.ts';
import { CONNECTED_UNITS } from './connected.ts';

/** Ids of fields that only examples of the documentation show. */
const CHOICE = EXAMPLE_REQUEST.replace(/1$/, '2');
const SHARED = EXAMPLE_REQUEST.replace(/1$/, '3');

/** Makes the fields that the partner of the examples asks for and shares over their connection. */
export async function shareExamples(store: OrgStore, partner: OrganisationRow): Promise<void> {
  const asked = { filledByPartner: true };
  const fields = [
    await makeCrossingField(store, partner.id, {
      ...asked,
      id: EXAMPLE_REQUEST,
      name: 'Nabenhöhe laut Bauakte (m)',
      type: 'NUMBER',
    }),
    await makeCrossingField(store, partner.id, {
      ...asked,
      id: CHOICE,
      name: 'Betriebsführung',
      type: 'DROPDOWN',
      choices: ['eigen', 'fremd'],
    }),
  ];
  for (const field of fields) await openField(store, EXAMPLE_CONNECTION, field);
  const shared = await makeCrossingField(store, partner.id, { id: SHARED, name: 'Umspannwerk' });
  await openField(store, EXAMPLE_CONNECTION, shared, { over: false, on: [CONNECTED_UNITS[0]] });
  await writeTexts(store, shared, CONNECTED_UNITS[0], ['UW Nordholm']);
}
