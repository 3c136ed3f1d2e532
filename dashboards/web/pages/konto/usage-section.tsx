import { time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { Failed, Waiting } from '../../frame/state.tsx';
import type { Me } from '../../v1/answers.ts';
import { shown } from '../../v1/loaded.ts';
import type { Usage } from '../../v1/organisation-answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { Meter } from './meter.tsx';

/** Shows how much of the month is used, and what a minute and an answer may have. */
export function UsageSection({ me: { limits } }: { me: Me }) {
  const loaded = useAnswer<Usage>({ path: '/v1/usage' });
  const usage = shown(loaded)?.data;
  return (
    <section class="figure" aria-labelledby="usage" aria-busy={loaded.state === 'loading'}>
      <h2 id="usage">{say('Verbrauch und Grenzen', 'Use and limits')}</h2>
      {loaded.state === 'failed' && (
        <Failed
          problem={loaded.problem}
          retry={loaded.retry}
          shows={say('den Verbrauch des Monats', 'the use of the month')}
        />
      )}
      {loaded.state === 'loading' && usage === undefined && <Waiting loaded={loaded} height={220} />}
      {usage !== undefined && (
        <>
          <p class="unit">
            {say('Kalendermonat, ', 'Calendar month, ')}
            {time(usage.period.start)}
            {say(' bis ', ' to ')}
            {time(usage.period.end)}
          </p>
          <Meter
            label={say('Anfragen in diesem Monat', 'Requests in this month')}
            used={usage.requests.used}
            limit={usage.requests.limit}
            state={usage.requests.state}
          />
          <p class="note">{QUOTA_WORDS[usage.requests.state] ?? QUOTA_SPENT}</p>
          <h3>{say('Je Minute und Schlüssel', 'Per minute and key')}</h3>
          <Facts
            facts={[
              {
                name: say('Gewöhnliche Anfragen', 'Usual requests'),
                value: count(usage.rateLimit.perCostClass.standard),
              },
              {
                name: say('Teure Anfragen', 'Expensive requests'),
                value: count(usage.rateLimit.perCostClass.expensive),
                more: say('Regionen, Gruppierungen', 'regions, groups'),
              },
              { name: say('Änderungen', 'Changes'), value: count(usage.rateLimit.perCostClass.mutation) },
            ]}
          />
        </>
      )}
      <h3>{say('Je Abfrage', 'Per question')}</h3>
      <Facts
        facts={[
          { name: say('Zeilen je Seite', 'Rows per page'), value: count(limits.maxPageSize) },
          { name: say('Zeilen je Liste', 'Rows per list'), value: count(limits.maxRowsPerQuery) },
          {
            name: say('Zeilen je Export', 'Rows per export'),
            value: count(limits.exportRows),
            more: say('in der Anwendung', 'in the application'),
          },
          { name: say('Alarme', 'Alerts'), value: count(limits.maxAlerts), more: say('höchstens angelegt', 'at most') },
        ]}
      />
    </section>
  );
}

const QUOTA_WORDS: Readonly<Record<string, string>> = {
  ok: say(
    'Diese Seiten zählen mit, nur der Blick auf Konto und Verbrauch nicht.',
    'These pages count, too; only looking at account and use does not.',
  ),
  warning: say(
    'Mehr als vier Fünftel sind verbraucht. Am Ende wird jede Anfrage bis zum nächsten Monat abgelehnt.',
    'More than four fifths are used up. At the end, each request is refused until next month.',
  ),
};

const QUOTA_SPENT = say(
  'Das Kontingent ist verbraucht: Anfragen werden bis zum nächsten Monat abgelehnt.',
  'The quota is used up: requests are refused until next month.',
);
