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
import { allPages } from '../../v1/all-pages.ts';
import { shown } from '../../v1/loaded.ts';
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
  const loaded = useLoad(`alerts ${revision}`, async ({ ask }) => (await ask<AlertList>(ALERTS)).data);
  const fired = useLastEvents(may('events:read'));
  const signals = useSignalTexts(shown(loaded)?.some((alert) => alert.signals.length > 0) ?? false);
  const columns: readonly RowColumn<ListedAlert>[] = [
    { name: 'Alarm', value: ({ name }) => name },
    {
      name: 'Meldet',
      value: ({ template, signals: watched }) =>
        [TEMPLATES[template] ?? template, watched.map((id) => signalName(id, signals)).join(', ')]
          .filter(Boolean)
          .join(': '),
    },
    {
      name: 'Einheiten',
      value: ({ criteria, savedFilterId }) => (criteria === null ? savedFilterId : JSON.stringify(criteria)),
      show: (alert) => <AskedUnits alert={alert} />,
    },
    {
      name: 'Zustand',
      value: stateOf,
      show: (alert) => (
        <>
          <span class={alert.enabled && alert.fault === null ? 'tag good' : 'tag bad'}>{stateOf(alert)}</span>
          {alert.fault !== null && (
            <small>
              {' '}
              Er kann nicht ausgewertet werden: <bdi lang="en">{alert.fault}</bdi>
            </small>
          )}
        </>
      ),
    },
    {
      name: 'Zuletzt ausgelöst',
      value: ({ id }) => {
        const event = fired?.get(id);
        return event === undefined ? null : time(event.occurredAt);
      },
      show: ({ id }) => {
        const event = fired?.get(id);
        if (event === undefined) return fired === null ? '–' : 'nicht in den letzten 29 Tagen';
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
    name: 'E-Mail an',
    value: ({ emails }) => (emails === null ? 'zurzeit nicht lesbar' : emails.join(', ') || null),
  };
  const managed: RowColumn<ListedAlert> = {
    name: 'Verwalten',
    value: () => null,
    show: ({ id, name, enabled, emails }) => (
      <div class="actions">
        <TestButton id={id} name={name} />
        <EmailsButton
          name={name}
          emails={emails ?? []}
          onChange={(wanted) => send({ path: `/v1/alerts/${id}`, method: 'PATCH', body: { emails: wanted } })}
        />
        <button
          type="button"
          aria-label={`${enabled ? 'Abschalten' : 'Einschalten'}: ${name}`}
          onClick={() => change({ path: `/v1/alerts/${id}`, method: 'PATCH', body: { enabled: !enabled } })}
        >
          {enabled ? 'Abschalten' : 'Einschalten'}
        </button>
        <ConfirmButton
          label="Löschen"
          question="Alarm löschen?"
          confirm="Löschen"
          disabled={false}
          onConfirm={() => change({ path: `/v1/alerts/${id}`, method: 'DELETE' })}
        >
          <p>
            „<bdi>{name}</bdi>“ meldet dann nichts mehr. Was er gemeldet hat, bleibt 30 Tage lang unter „Konto“.
          </p>
        </ConfirmButton>
      </div>
    ),
  };
  const title = 'Alarme';
  const opened = shown(loaded)?.find(({ id }) => id === alarm);
  return (
    <>
      {problem !== null && (
        <p class="fault" role="alert">
          Nicht geändert: {sentenceOf(problem)}
        </p>
      )}
      <Figure
        title={title}
        unit="Was nach jedem neuen Stand gemeldet wird; „Alarm anlegen“ auf der Seite Einheiten legt einen an"
        loaded={loaded}
        requests={[ALERTS]}
        shows="die Alarme der Organisation"
        origin="Eigene Alarme der Organisation"
        table={(alerts) => tableOf([...columns, told], alerts)}
        empty={(alerts) => (alerts.length === 0 ? 'Es ist kein Alarm angelegt.' : null)}
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
      label="E-Mails"
      of={name}
      title="E-Mails des Alarms"
      submit="Speichern"
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

const stateOf = ({ enabled, fault }: Alert): string => (!enabled ? 'Aus' : fault === null ? 'An' : 'Fehler');

/** The last event of each alert; null = not known. */
function useLastEvents(isReadable: boolean): ReadonlyMap<string, AlertEvent> | null {
  const since = midnight(daysFrom(today(), 1 - DAYS)).toISOString();
  const loaded = useLoad(isReadable ? `last events ${since}` : null, (loading) =>
    allPages<AlertEvent>(loading, { path: '/v1/events', query: { since } }, { most: MOST_EVENTS }),
  );
  const rows = shown(loaded)?.rows ?? null;
  return useMemo(() => (rows === null ? null : new Map(rows.map((event) => [event.data.alert.id, event]))), [rows]);
}
