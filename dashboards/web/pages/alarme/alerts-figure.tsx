import { useMemo, useState } from 'preact/hooks';
import { useChoices, useNavigation } from '../../address/address.ts';
import { EmailsField, emailsIn, emailsRefused } from '../../alerts/emails.tsx';
import { TEMPLATES } from '../../alerts/templates.ts';
import { daysFrom, midnight, time, today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { unitCount } from '../../format/numbers.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Figure } from '../../frame/figure.tsx';
import { FormDialog } from '../../frame/form-dialog.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { useChanges } from '../../frame/use-changes.ts';
import { signalName, useSignalTexts } from '../../units/signals.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { allPages } from '../../v1/all-pages.ts';
import { mapLoaded, shown } from '../../v1/loaded.ts';
import type { Alert, AlertEvent, AlertList, ListedAlert } from '../../v1/organisation-answers.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useLoad, useVisit } from '../../v1/use-answer.ts';
import { AskedUnits } from './asked-units.tsx';
import { CHOICES } from './choices.ts';
import { RunsFigure } from './runs-figure.tsx';
import { TestButton } from './test-button.tsx';

const ALERTS: ApiRequest = { path: '/v1/alerts' };

/** Events are kept for thirty days, to the second. */
const DAYS = 29;
const MOST_EVENTS = 1000;

/** Lists the alerts: what they ask, when they last fired, why one does not; and switches them. */
export function AlertsFigure() {
  const { me } = useVisit();
  const { at } = useNavigation();
  const [{ alarm }, choose] = useChoices(CHOICES);
  const { revision, problem, change, send } = useChanges();
  const may = (scope: string): boolean => me.key.scopes.includes(scope);
  const answer = useLoad(`alerts ${revision}`, ({ ask }) => ask<AlertList>(ALERTS));
  const loaded = mapLoaded(answer, ({ data }) => data);
  const sendsEmails = shown(answer)?.meta.sendsEmails ?? false;
  const fired = useLastEvents(may('events:read'));
  const signals = useSignalTexts(shown(loaded)?.some((alert) => alert.signals.length > 0) ?? false);
  const catalogue = shown(useCatalogue(shown(loaded)?.some(({ fields }) => fields.length > 0) ?? false));
  const titleOf = (name: string): string => {
    const field = catalogue?.byName.get(name);
    return field === undefined ? name : (catalogue?.titleOf(field) ?? name);
  };
  const columns: readonly RowColumn<ListedAlert>[] = [
    { name: say('Alarm', 'Alert'), value: ({ name }) => name },
    {
      name: say('Meldet', 'Tells of'),
      value: ({ template, signals: watched, fields }) =>
        [
          TEMPLATES[template]?.name ?? template,
          [...watched.map((id) => signalName(id, signals)), ...fields.map(titleOf)].join(', '),
        ]
          .filter(Boolean)
          .join(': '),
    },
    {
      name: say('Einheiten', 'Units'),
      value: ({ criteria, savedFilterId }) => (criteria === null ? savedFilterId : JSON.stringify(criteria)),
      show: (alert) => <AskedUnits alert={alert} />,
    },
    {
      name: say('Zustand', 'State'),
      value: stateOf,
      show: (alert) => (
        <>
          <span class={alert.enabled && alert.fault === null ? 'tag good' : 'tag bad'}>{stateOf(alert)}</span>
          {alert.fault !== null && (
            <small>
              {' '}
              {say('Er kann nicht ausgewertet werden: ', 'It cannot be evaluated: ')}
              <bdi lang="en">{alert.fault}</bdi>
            </small>
          )}
        </>
      ),
    },
    {
      name: say('Zuletzt ausgelöst', 'Last triggered'),
      value: ({ id }) => {
        const event = fired?.get(id);
        return event === undefined ? null : time(event.occurredAt);
      },
      show: ({ id }) => {
        const event = fired?.get(id);
        if (event === undefined)
          return fired === null ? '–' : say('nicht in den letzten 29 Tagen', 'not in the last 29 days');
        return (
          <a href={at('einheiten', { eventId: event.eventId })}>
            {time(event.occurredAt)}, {unitCount(event.data.matchCount)}
          </a>
        );
      },
    },
  ];
  const runs: RowColumn<ListedAlert> = {
    name: say('Verlauf', 'History'),
    value: () => null,
    show: ({ id, name }) => (
      <button
        type="button"
        aria-pressed={alarm === id}
        aria-label={`${say('Läufe', 'Runs')}: ${name}`}
        onClick={() => choose({ alarm: alarm === id ? '' : id })}
      >
        {say('Läufe', 'Runs')}
      </button>
    ),
  };
  const told: RowColumn<ListedAlert> = {
    name: say('E-Mail an', 'E-mail to'),
    value: ({ emails }) =>
      emails === null ? say('zurzeit nicht lesbar', 'not readable at present') : emails.join(', ') || null,
  };
  const managed: RowColumn<ListedAlert> = {
    name: say('Verwalten', 'Manage'),
    value: () => null,
    show: ({ id, name, enabled, emails }) => (
      <div class="actions">
        <TestButton id={id} name={name} sendsEmails={sendsEmails} />
        {/* Where none are sent any more, addresses can still be taken away. */}
        {(sendsEmails || (emails?.length ?? 0) > 0) && (
          <EmailsButton
            name={name}
            emails={emails ?? []}
            onChange={(wanted) => send({ path: `/v1/alerts/${id}`, method: 'PATCH', body: { emails: wanted } })}
          />
        )}
        <button
          type="button"
          aria-label={`${enabled ? say('Abschalten', 'Switch off') : say('Einschalten', 'Switch on')}: ${name}`}
          onClick={() => change({ path: `/v1/alerts/${id}`, method: 'PATCH', body: { enabled: !enabled } })}
        >
          {enabled ? say('Abschalten', 'Switch off') : say('Einschalten', 'Switch on')}
        </button>
        <ConfirmButton
          label={say('Löschen', 'Delete')}
          question={say('Alarm löschen?', 'Delete the alert?')}
          confirm={say('Löschen', 'Delete')}
          disabled={false}
          onConfirm={() => change({ path: `/v1/alerts/${id}`, method: 'DELETE' })}
        >
          <p>
            {say('„', '“')}
            <bdi>{name}</bdi>
            {say(
              '“ meldet dann nichts mehr. Was er gemeldet hat, bleibt 30 Tage lang unter „Konto“.',
              '” tells nothing any more then. What it has told stays for 30 days under “Account”.',
            )}
          </p>
        </ConfirmButton>
      </div>
    ),
  };
  const title = say('Alarme', 'Alerts');
  const opened = shown(loaded)?.find(({ id }) => id === alarm);
  return (
    <>
      {problem !== null && (
        <p class="fault" role="alert">
          {say('Nicht geändert: ', 'Not changed: ')}
          {sentenceOf(problem)}
        </p>
      )}
      <Figure
        title={title}
        unit={say(
          'Was nach jedem neuen Stand gemeldet wird; „Alarm anlegen“ auf der Seite Einheiten legt einen an',
          'What is told after each new state; “Make an alert” on the page Units makes one',
        )}
        loaded={loaded}
        requests={[ALERTS]}
        shows={say('die Alarme der Organisation', 'the alerts of the organisation')}
        origin={say('Eigene Alarme der Organisation', 'Own alerts of the organisation')}
        table={(alerts) => tableOf([...columns, told], alerts)}
        empty={(alerts) => (alerts.length === 0 ? say('Es ist kein Alarm angelegt.', 'There is no alert.') : null)}
        height={110}
        plain
      >
        {(alerts) => (
          <RowTable
            columns={may('alerts:write') ? [...columns, runs, told, managed] : [...columns, runs, told]}
            rows={alerts}
            caption={title}
            idOf={({ id }) => id}
          />
        )}
      </Figure>
      {opened !== undefined && <RunsFigure id={opened.id} name={opened.name} />}
    </>
  );
}

function EmailsButton({
  name,
  emails,
  onChange,
}: {
  name: string;
  emails: readonly string[];
  onChange: (emails: readonly string[]) => Promise<void>;
}) {
  const [text, setText] = useState('');
  return (
    <FormDialog
      label={say('E-Mails', 'E-mails')}
      of={name}
      title={say('E-Mails des Alarms', 'E-mails of the alert')}
      submit={say('Speichern', 'Save')}
      send={async () => {
        await onChange(emailsIn(text));
        return null;
      }}
      whyNot={(problem) => emailsRefused(problem) ?? sentenceOf(problem)}
      onOpen={() => setText(emails.join('\n'))}
    >
      <EmailsField text={text} onType={setText} />
    </FormDialog>
  );
}

const stateOf = ({ enabled, fault }: Alert): string =>
  !enabled ? say('Aus', 'Off') : fault === null ? say('An', 'On') : say('Fehler', 'Error');

/** The last event of each alert; null = not known. */
function useLastEvents(isReadable: boolean): ReadonlyMap<string, AlertEvent> | null {
  const since = midnight(daysFrom(today(), 1 - DAYS)).toISOString();
  const loaded = useLoad(isReadable ? `last events ${since}` : null, (loading) =>
    allPages<AlertEvent>(loading, { path: '/v1/events', query: { since } }, { most: MOST_EVENTS }),
  );
  const rows = shown(loaded)?.rows ?? null;
  return useMemo(() => (rows === null ? null : new Map(rows.map((event) => [event.data.alert.id, event]))), [rows]);
}
