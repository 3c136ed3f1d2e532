import { useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { EmailsField, emailsIn, SENDS_NONE } from '../alerts/emails.tsx';
import { TEMPLATES } from '../alerts/templates.ts';
import { say } from '../format/language.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import { signalName, useSignalTexts } from '../units/signals.ts';
import { shown } from '../v1/loaded.ts';
import type { AlertAnswer, AlertList } from '../v1/organisation-answers.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useAnswer, useVisit } from '../v1/use-answer.ts';
import type { Watchable } from './kept.ts';
import { MOST_LETTERS, NameField, whyNot } from './name-field.tsx';
import { FieldChoice, USUAL_FIELDS } from './watched-fields.tsx';

const ALERTS: ApiRequest = { path: '/v1/alerts' };

const ALL_UNITS: Watchable = { name: null, criteria: {}, savedFilterId: null, own: false, transient: null };

const NotAsked = ({ shows }: { shows: string }) => (
  <p class="fault" role="note">
    {say('Die Ansicht zeigt ', 'The view shows ')}
    {shows}
    {say('. Ohne diese Bedingung kann ein Alarm danach fragen.', '. Without this condition an alert can ask for it.')}
  </p>
);

/** Makes an alert of what the view shows; of several series, of one that is chosen. */
export function AlertButton({
  watchables,
  prefers,
  changed,
}: {
  watchables: readonly Watchable[];
  /** Fields that the page asks for. */
  changed: readonly string[];
  /** What most alerts of this page ask. */
  prefers: string | null;
}) {
  const { client, me } = useVisit();
  const { at } = useNavigation();
  const templates = me.entitlements.alertTemplates.map(({ key }) => key).filter((key) => TEMPLATES[key] !== undefined);
  const [template, setTemplate] = useState(templates.find((key) => key === prefers) ?? templates[0] ?? '');
  const [place, choose] = useState(0);
  const chosen = watchables[place] ?? watchables[0] ?? ALL_UNITS;
  const [watched, watch] = useState<readonly string[]>([]);
  const [fields, watchFields] = useState<readonly string[]>([]);
  const [emails, setEmails] = useState('');
  const [typed, type] = useState<string | null>(null);
  const [isOpened, setOpened] = useState(false);
  const asksWhether = me.key.scopes.includes('alerts:read');
  const alerts = useAnswer<AlertList>(isOpened && asksWhether ? ALERTS : null);
  // Who may not read that is refused in words, should none be sent.
  const sendsEmails = asksWhether ? (shown(alerts)?.meta.sendsEmails ?? null) : true;
  const subject = TEMPLATES[template]?.subject ?? '';
  const name = typed ?? (chosen.name === null ? subject : `${subject}: ${chosen.name}`).slice(0, MOST_LETTERS);
  const open = (): void => {
    setOpened(true);
    type(null);
    choose(0);
    const { signals } = watchables[0]?.criteria ?? {};
    const asked = Array.isArray(signals) ? signals : prefers === 'SIGNAL_CHANGE' ? me.entitlements.signals : [];
    watchFields(changed.length > 0 ? changed : USUAL_FIELDS);
    watch(asked.map(String).filter((signal) => me.entitlements.signals.includes(signal)));
  };
  const send = async () => {
    const body = {
      name: name.trim(),
      template,
      ...(template === 'SIGNAL_CHANGE' ? { signals: watched } : {}),
      ...(template === 'FIELD_CHANGE' ? { fields } : {}),
      ...(emailsIn(emails).length > 0 ? { emails: emailsIn(emails) } : {}),
      ...(chosen.savedFilterId === null
        ? { criteria: chosen.own ? { ...chosen.criteria, portfolio: true } : chosen.criteria }
        : { savedFilterId: chosen.savedFilterId }),
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
        chosen.transient !== null ||
        templates.length === 0 ||
        (template === 'SIGNAL_CHANGE' && watched.length === 0) ||
        (template === 'FIELD_CHANGE' && fields.length === 0)
      }
    >
      {chosen.transient !== null && <NotAsked shows={chosen.transient} />}
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
            'Nach jedem neuen Stand des Registers meldet er die Einheiten dieser Auswahl, die es betrifft: auf der Seite „Konto“ und an die Endpunkte für Webhooks.',
            'After each new state of the register it tells of the units of this selection that it is about: on the page “Account” and to the endpoints for webhooks.',
          )}
        </p>
      )}
      {watchables.length > 1 && (
        <label>
          {say('Über', 'About')}
          <select value={place} onChange={(event) => choose(Number(event.currentTarget.value))}>
            {watchables.map(({ name: one }, index) => (
              <option key={`${index} ${one}`} value={index}>
                {one ?? say('Alle Einheiten', 'All units')}
              </option>
            ))}
          </select>
        </label>
      )}
      <NameField name={name} onType={type} />
      <label>
        {say('Meldet', 'Tells')}
        <select value={template} onChange={(event) => setTemplate(event.currentTarget.value)}>
          {templates.map((key) => (
            <option key={key} value={key}>
              {TEMPLATES[key]?.tells}
            </option>
          ))}
        </select>
      </label>
      {template === 'SIGNAL_CHANGE' && <SignalChoice watched={watched} onWatch={watch} />}
      {template === 'FIELD_CHANGE' && <FieldChoice watched={fields} onWatch={watchFields} />}
      {sendsEmails === true && <EmailsField text={emails} onType={setEmails} />}
      {sendsEmails === false && <p class="note">{SENDS_NONE}</p>}
    </FormDialog>
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
