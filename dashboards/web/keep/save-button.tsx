import { useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { keptQuery } from '../address/kept-query.ts';
import { say } from '../format/language.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import type { Criteria } from '../v1/organisation-answers.ts';
import type { SavedFilterAnswer } from '../v1/unit-answers.ts';
import { useVisit } from '../v1/use-answer.ts';
import { MOST_LETTERS, NameField, whyNot } from './name-field.tsx';

/** Keeps the page with everything that is chosen on it. */
export function SaveButton({ described, criteria }: { described: string; criteria: Criteria }) {
  const { client } = useVisit();
  const { address, at } = useNavigation();
  const [typed, type] = useState<string | null>(null);
  const name = typed ?? described.slice(0, MOST_LETTERS);
  const send = async () => {
    const ansicht = { page: address.path || 'ueberblick', query: keptQuery(address.query) };
    const body = { name: name.trim(), criteria, ansicht };
    await client.change<SavedFilterAnswer>(
      { path: '/v1/saved-filters', body },
      { idempotencyKey: crypto.randomUUID() },
    );
    return (
      <p>
        {say('„', '“')}
        <bdi>{body.name}</bdi>
        {say('“ ist gespeichert und steht unter ', '” is kept and stands under ')}
        <a href={at('alarme')}>{say('Alarme und Filter', 'Alerts and filters')}</a>.
      </p>
    );
  };
  return (
    <FormDialog
      label={say('Ansicht speichern', 'Save the view')}
      title={say('Ansicht speichern', 'Save the view')}
      submit={say('Speichern', 'Save')}
      send={send}
      whyNot={whyNot}
      onOpen={() => type(null)}
    >
      <p class="note">
        {say(
          'Behalten wird die Seite mit allem, was auf ihr gewählt ist; die Zahlen sind die des jeweiligen Tages. Alle der Organisation sehen sie unter „Alarme und Filter“.',
          'The page is kept with everything that is chosen on it; the figures are those of the day. Everybody in the organisation sees it under “Alerts and filters”.',
        )}
      </p>
      <NameField name={name} onType={type} />
    </FormDialog>
  );
}
