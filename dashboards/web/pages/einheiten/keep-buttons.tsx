import { useState } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { EmailsField, emailsIn, emailsRefused } from '../../alerts/emails.tsx';
import { TEMPLATES } from '../../alerts/templates.ts';
import { say } from '../../format/language.ts';
import { FormDialog } from '../../frame/form-dialog.tsx';
import { criteriaOf } from '../../units/criteria.ts';
import { describedFilter, isChosen } from '../../units/describe.ts';
import { isOnePlace, type UnitFilter } from '../../units/filters.ts';
import { signalName, useSignalTexts } from '../../units/signals.ts';
import type { NameOf } from '../../units/value-names.ts';
import type { AlertAnswer } from '../../v1/organisation-answers.ts';
import type { Problem } from '../../v1/problem.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import { listItems } from '../../v1/request.ts';
import type { SavedFilter, SavedFilterAnswer } from '../../v1/unit-answers.ts';
import { useVisit } from '../../v1/use-answer.ts';
import type { ListAddress } from './list-address.ts';

/** The longest name that the interface takes. */
const MOST_LETTERS = 200;

interface KeptList {
  readonly list: ListAddress;
  readonly filters: readonly UnitFilter[];
  /** What the list shows, in a line; null = all units. */
  readonly described: string | null;
}

/** Keeps what the list asks for: under a name, or as an alert. Keys without the right do not see the buttons. */
export function KeepButtons({
  nameOf,
  region,
  savedFilters,
  ...shown
}: Omit<KeptList, 'described'> & {
  nameOf: NameOf;
  /** Name of the only place. */
  region: string;
  savedFilters: readonly SavedFilter[];
}) {
  const { me } = useVisit();
  const { list, filters } = shown;
  const may = (scope: string): boolean => me.key.scopes.includes(scope);
  const described =
    list.savedFilterId !== null
      ? (savedFilters.find(({ id }) => id === list.savedFilterId)?.name ?? null)
      : filters
          .filter((filter) => isChosen(filter, list.values))
          .map((filter) => (isOnePlace(filter.id) ? region : describedFilter(filter, list.values, nameOf)))
          .join(', ') || null;
  return (
    <div class="actions">
      {may('saved_filters:write') && list.savedFilterId === null && <SaveButton {...shown} described={described} />}
      {may('alerts:write') && <AlertButton {...shown} described={described} />}
    </div>
  );
}

/** What a filter or an alert cannot ask for: the units of an event are those of one night, and a portfolio is none of the register. */
const transientOf = ({ eventId, own }: ListAddress): string | null =>
  eventId !== null
    ? say('die Einheiten eines Ereignisses', 'the units of an event')
    : own.size > 0
      ? say('nur eigene Anlagen', 'own units alone')
      : null;

const NotKept = ({ shows }: { shows: string }) => (
  <p class="fault" role="note">
    {say('Die Liste zeigt ', 'The list shows ')}
    {shows}
    {say('. Ohne diese Bedingung lässt sie sich behalten.', '. Without this condition it can be kept.')}
  </p>
);

function SaveButton({ list, filters, described }: KeptList) {
  const { client } = useVisit();
  const { at } = useNavigation();
  const [typed, type] = useState<string | null>(null);
  const name = typed ?? (described ?? say('Alle Einheiten', 'All units')).slice(0, MOST_LETTERS);
  const send = async () => {
    const body = { name: name.trim(), criteria: criteriaOf(list.values, filters) };
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
      disabled={transientOf(list) !== null}
    >
      {transientOf(list) === null ? (
        <p class="note">
          {say(
            'Behalten werden die Filter, nicht Spalten und Ordnung. Alle der Organisation sehen sie in der Auswahl „Gespeicherter Filter“.',
            'The filters are kept, not columns and order. Everybody in the organisation sees them in the choice “Saved filter”.',
          )}
        </p>
      ) : (
        <NotKept shows={transientOf(list) ?? ''} />
      )}
      <NameField name={name} onType={type} />
    </FormDialog>
  );
}

function AlertButton({ list, filters, described }: KeptList) {
  const { client, me } = useVisit();
  const { at } = useNavigation();
  const templates = me.entitlements.alertTemplates.map(({ key }) => key).filter((key) => TEMPLATES[key] !== undefined);
  const [template, setTemplate] = useState(templates[0] ?? '');
  const [watched, watch] = useState<readonly string[]>([]);
  const [emails, setEmails] = useState('');
  const [typed, type] = useState<string | null>(null);
  const subject =
    template === 'SIGNAL_CHANGE' ? say('Signaländerungen', 'Changes of signals') : say('Neue Anlagen', 'New units');
  const name = typed ?? (described === null ? subject : `${subject}: ${described}`).slice(0, MOST_LETTERS);
  const open = (): void => {
    type(null);
    const asked = listItems(list.values.get('signals') ?? '');
    watch(asked.filter((signal) => me.entitlements.signals.includes(signal)));
  };
  const send = async () => {
    const body = {
      name: name.trim(),
      template,
      ...(template === 'SIGNAL_CHANGE' ? { signals: watched } : {}),
      ...(emailsIn(emails).length > 0 ? { emails: emailsIn(emails) } : {}),
      ...(list.savedFilterId === null
        ? { criteria: criteriaOf(list.values, filters) }
        : { savedFilterId: list.savedFilterId }),
    };
    await client.change<AlertAnswer>({ path: '/v1/alerts', body }, { idempotencyKey: crypto.randomUUID() });
    return (
      <p>
        {say('Der Alarm „', 'The alert “')}
        <bdi>{body.name}</bdi>
        {say(
          '“ ist angelegt und meldet, was ab der nächsten Nacht neu ist. Er steht unter',
          '” is made and tells what is new from the next night on. It stands under',
        )}{' '}
        <a href={at('alarme')}>{say('Alarme und Filter', 'Alerts and filters')}</a>.
      </p>
    );
  };
  return (
    <FormDialog
      label={say('Alarm anlegen', 'Make an alert')}
      title={say('Alarm anlegen', 'Make an alert')}
      submit={say('Anlegen', 'Make')}
      send={send}
      whyNot={whyNot}
      onOpen={open}
      disabled={
        transientOf(list) !== null || templates.length === 0 || (template === 'SIGNAL_CHANGE' && watched.length === 0)
      }
    >
      {transientOf(list) !== null && <NotKept shows={transientOf(list) ?? ''} />}
      {templates.length === 0 ? (
        <p class="fault" role="note">
          {say(
            'Die Organisation hat keine Vorlage für Alarme; „Konto“ zeigt, was freigeschaltet ist.',
            'The organisation has no template for alerts; “Account” shows what is released.',
          )}
        </p>
      ) : (
        <p class="note">
          {say(
            'Nach jedem neuen Stand des Registers meldet er, welche Einheiten dieser Liste dazugekommen sind: auf der Seite „Konto“ und an die Endpunkte für Webhooks.',
            'After each new state of the register it tells which units have come into this list: on the page “Account” and to the endpoints for webhooks.',
          )}
        </p>
      )}
      <NameField name={name} onType={type} />
      <label>
        {say('Meldet', 'Tells')}
        <select value={template} onChange={(event) => setTemplate(event.currentTarget.value)}>
          {templates.map((key) => (
            <option key={key} value={key}>
              {WATCHES[key] ?? TEMPLATES[key]}
            </option>
          ))}
        </select>
      </label>
      {template === 'SIGNAL_CHANGE' && <SignalChoice watched={watched} onWatch={watch} />}
      <EmailsField text={emails} onType={setEmails} />
    </FormDialog>
  );
}

const WATCHES: Readonly<Record<string, string>> = {
  NEW_UNIT: say('Einheiten, die neu sind', 'Units that are new'),
  SIGNAL_CHANGE: say('Einheiten, die ein Signal bekommen oder verlieren', 'Units that get or lose a signal'),
};

function NameField({ name, onType }: { name: string; onType: (name: string) => void }) {
  return (
    <label>
      Name
      <input required maxLength={MOST_LETTERS} value={name} onInput={(event) => onType(event.currentTarget.value)} />
    </label>
  );
}

function SignalChoice({
  watched,
  onWatch,
}: {
  watched: readonly string[];
  onWatch: (signals: readonly string[]) => void;
}) {
  const { me } = useVisit();
  const texts = useSignalTexts(true);
  return (
    <fieldset>
      <legend>{say('Signale', 'Signals')}</legend>
      {me.entitlements.signals.map((signal) => (
        <label key={signal} class="check">
          <input
            type="checkbox"
            checked={watched.includes(signal)}
            onChange={(event) =>
              onWatch(
                event.currentTarget.checked ? [...watched, signal] : watched.filter((present) => present !== signal),
              )
            }
          />
          {signalName(signal, texts)}
        </label>
      ))}
    </fieldset>
  );
}

function whyNot(problem: Problem): string {
  const { code, detail = '' } = problem;
  const refused = emailsRefused(problem);
  if (refused !== null) return refused;
  if (code === 'CONFLICT')
    return say(
      'Diesen Namen gibt es schon. Mit einem anderen geht es.',
      'This name exists already. With another one it works.',
    );
  if (code === 'UNPROCESSABLE' && /maxAlerts|at most/.test(detail)) {
    return say(
      'Die Organisation hat schon so viele, wie sie haben darf. Unter „Alarme und Filter“ lässt sich etwas löschen.',
      'The organisation has as many as it may have. Something can be deleted under “Alerts and filters”.',
    );
  }
  return sentenceOf(problem);
}
