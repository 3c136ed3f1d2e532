import { useNavigation } from '../../address/address.ts';
import { time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { unitCount } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { AlertRun, AlertRunList } from '../../v1/organisation-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useLoad } from '../../v1/use-answer.ts';

/** The last runs of an alert: when, what was found, what was sent, what failed. */
export function RunsFigure({ id, name }: { id: string; name: string }) {
  const { at } = useNavigation();
  const request: ApiRequest = { path: `/v1/alerts/${id}/runs` };
  const loaded = useLoad(`runs ${id}`, async ({ ask }) => (await ask<AlertRunList>(request)).data);
  const columns: readonly RowColumn<AlertRun>[] = [
    { name: say('Ausgewertet', 'Evaluated'), value: ({ evaluatedAt }) => time(evaluatedAt) },
    { name: say('Stand', 'Version'), value: ({ datasetVersion }) => datasetVersion },
    {
      name: say('Gefunden', 'Found'),
      value: foundIn,
      show: (run) =>
        run.outcome === 'FIRED' && run.eventId !== null && run.webhooks !== null ? (
          <a href={at('einheiten', { eventId: run.eventId })}>{foundIn(run)}</a>
        ) : (
          <>
            {foundIn(run)}
            {run.fault !== null && (
              <small>
                {' '}
                <bdi lang="en">{run.fault}</bdi>
              </small>
            )}
          </>
        ),
    },
    { name: 'Webhooks', value: ({ webhooks }) => (webhooks === null ? null : counted(webhooks)) },
    { name: say('E-Mails', 'E-mails'), value: ({ emails }) => mailed(emails) },
  ];
  const title = say(`Läufe von „${name}“`, `Runs of “${name}”`);
  return (
    <Figure
      title={title}
      unit={say(
        'Die letzten 30; was ein Lauf gefunden hat, bleibt 30 Tage lesbar',
        'The last 30; what a run has found can be read for 30 days',
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('die Läufe des Alarms', 'the runs of the alert')}
      origin={say('Eigene Alarme der Organisation', 'Alerts of the organisation')}
      table={(runs) => tableOf(columns, runs)}
      empty={(runs) =>
        runs.length === 0
          ? say(
              'Er ist noch nicht gelaufen: Er wird mit dem nächsten Stand des Registers ausgewertet.',
              'It has not run yet: the next version of the register is the first that it is evaluated for.',
            )
          : null
      }
      height={110}
      plain
    >
      {(runs) => (
        <RowTable columns={columns} rows={runs} caption={title} idOf={({ datasetVersion }) => datasetVersion} />
      )}
    </Figure>
  );
}

function foundIn({ outcome, matchCount }: AlertRun): string {
  if (outcome === 'FAULTY') return say('Fehler', 'Fault');
  return outcome === 'NO_MATCH' ? say('nichts', 'nothing') : unitCount(matchCount);
}

const STATES = {
  delivered: say('zugestellt', 'delivered'),
  sent: say('verschickt', 'sent'),
  pending: say('unterwegs', 'pending'),
  waiting: say('warten', 'waiting'),
  failed: say('gescheitert', 'failed'),
  skipped: say('ausgelassen', 'skipped'),
};

/** Counts by state, in words; null = there is none. */
const counted = (counts: Readonly<Partial<Record<keyof typeof STATES, number>>>): string | null =>
  (Object.keys(STATES) as (keyof typeof STATES)[])
    .flatMap((state) => {
      const count = counts[state] ?? 0;
      return count === 0 ? [] : [`${count} ${STATES[state]}`];
    })
    .join(', ') || null;

function mailed({ error, ...counts }: AlertRun['emails']): string | null {
  const words = counted(counts);
  return error === null || words === null || counts.failed + counts.waiting === 0
    ? words
    : say(`${words}; zuletzt Fehler ${error}`, `${words}; last error ${error}`);
}
