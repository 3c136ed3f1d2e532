import { time } from '../../format/dates.ts';
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
      <h2 id="usage">Verbrauch und Grenzen</h2>
      {loaded.state === 'failed' && (
        <Failed problem={loaded.problem} retry={loaded.retry} shows="den Verbrauch des Monats" />
      )}
      {loaded.state === 'loading' && usage === undefined && <Waiting loaded={loaded} height={220} />}
      {usage !== undefined && (
        <>
          <p class="unit">
            Kalendermonat, {time(usage.period.start)} bis {time(usage.period.end)}
          </p>
          <Meter
            label="Anfragen in diesem Monat"
            used={usage.requests.used}
            limit={usage.requests.limit}
            state={usage.requests.state}
          />
          <p class="note">{QUOTA_WORDS[usage.requests.state] ?? QUOTA_SPENT}</p>
          <h3>Je Minute und Schlüssel</h3>
          <Facts
            facts={[
              { name: 'Gewöhnliche Anfragen', value: count(usage.rateLimit.perCostClass.standard) },
              {
                name: 'Teure Anfragen',
                value: count(usage.rateLimit.perCostClass.expensive),
                more: 'Regionen, Gruppierungen',
              },
              { name: 'Änderungen', value: count(usage.rateLimit.perCostClass.mutation) },
            ]}
          />
        </>
      )}
      <h3>Je Abfrage</h3>
      <Facts
        facts={[
          { name: 'Zeilen je Seite', value: count(limits.maxPageSize) },
          { name: 'Zeilen je Liste', value: count(limits.maxRowsPerQuery) },
          { name: 'Zeilen je Export', value: count(limits.exportRows), more: 'in der Anwendung' },
          { name: 'Alarme', value: count(limits.maxAlerts), more: 'höchstens angelegt' },
        ]}
      />
    </section>
  );
}

const QUOTA_WORDS: Readonly<Record<string, string>> = {
  ok: 'Diese Seiten zählen mit, nur der Blick auf Konto und Verbrauch nicht.',
  warning: 'Mehr als vier Fünftel sind verbraucht. Am Ende wird jede Anfrage bis zum nächsten Monat abgelehnt.',
};

const QUOTA_SPENT = 'Das Kontingent ist verbraucht: Anfragen werden bis zum nächsten Monat abgelehnt.';
