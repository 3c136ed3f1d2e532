import { useState } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { plural, unitCount } from '../../format/numbers.ts';
import { FormDialog } from '../../frame/form-dialog.tsx';
import type { AlertTest } from '../../v1/organisation-answers.ts';
import type { Problem } from '../../v1/problem.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import { useVisit } from '../../v1/use-answer.ts';

const WAYS = {
  ANSWER: say('hier zeigen, nichts verschicken', 'show it here, send nothing'),
  WEBHOOK: say('per Webhook, an alle eingeschalteten Endpunkte', 'by webhook, to every enabled endpoint'),
  EMAIL: say('per E-Mail, an alle seine Adressen', 'by e-mail, to all of its addresses'),
};

const WAY_NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[];

/** Tries an alert, without waiting for a night. */
export function TestButton({ id, name, sendsEmails }: { id: string; name: string; sendsEmails: boolean }) {
  const { client } = useVisit();
  const [via, choose] = useState<keyof typeof WAYS>('ANSWER');
  return (
    <FormDialog
      label={say('Testen', 'Test')}
      of={name}
      title={say('Alarm testen', 'Test the alert')}
      submit={say('Test starten', 'Start the test')}
      send={async () => {
        const { data } = await client.change<{ readonly data: AlertTest; readonly meta: object }>({
          path: `/v1/alerts/${id}/test`,
          method: 'POST',
          body: { via },
        });
        return <Result test={data} />;
      }}
      whyNot={whyNot}
    >
      <fieldset>
        <legend>{say('Der Test kommt', 'The test comes')}</legend>
        {WAY_NAMES.filter((way) => way !== 'EMAIL' || sendsEmails).map((way) => (
          <label key={way} class="check">
            <input type="radio" name="via" checked={via === way} onChange={() => choose(way)} /> {WAYS[way]}
          </label>
        ))}
      </fieldset>
      <p class="note">
        {say(
          'Er ist als Test gekennzeichnet und nennt Einheiten, die den Filter heute erfüllen, ob neu oder nicht.',
          'It is marked as a test, and names units that meet the filter today, whether new or not.',
        )}
      </p>
    </FormDialog>
  );
}

function Result({ test: { matchCount, matches, sent } }: { test: AlertTest }) {
  const { at } = useNavigation();
  const arrived = sent.filter((one) => one.arrived).length;
  const failed = sent.filter((one) => !one.arrived);
  return (
    <>
      <p>
        <strong>TEST</strong>{' '}
        {say(
          `Den Filter erfüllen zurzeit ${unitCount(matchCount)}.`,
          `${plural(matchCount, 'unit meets', 'units meet')} the filter at present.`,
        )}
      </p>
      {matches.length > 0 && (
        <ul>
          {matches.map(({ mastrNummer }) => (
            <li key={mastrNummer}>
              <a href={at(`einheiten/${mastrNummer}`)}>{mastrNummer}</a>
            </li>
          ))}
        </ul>
      )}
      {sent.length > 0 && (
        <p>
          {say(
            `Angenommen: ${arrived} von ${sent.length} ${sent[0]?.to === 'EMAIL' ? 'E-Mails' : 'Webhooks'}.`,
            `Taken: ${arrived} of ${sent.length} ${sent[0]?.to === 'EMAIL' ? 'e-mails' : 'webhooks'}.`,
          )}
        </p>
      )}
      {failed.map(({ endpointId, error }, place) => (
        <p key={endpointId ?? place} class="fault">
          {say('Nicht angenommen', 'Not taken')}: <bdi lang="en">{error}</bdi>
        </p>
      ))}
    </>
  );
}

function whyNot(problem: Problem): string {
  const { detail = '' } = problem;
  if (/seconds ago/.test(detail))
    return say(
      'Vor weniger als einer Minute wurde schon ein Test verschickt. In einer Minute geht es wieder.',
      'A test was sent less than a minute ago. Try again in a minute.',
    );
  if (/no e-mail addresses/.test(detail))
    return say('Der Alarm hat keine E-Mail-Adresse. „E-Mails“ gibt ihm eine.', 'The alert has no e-mail address.');
  if (/sends no e-mails/.test(detail))
    return say(
      'Dieser Dienst verschickt keine E-Mails: Sein Betreiber hat das nicht eingerichtet.',
      'This service sends no e-mails: its operator has not set that up.',
    );
  if (/webhook endpoint/i.test(detail))
    return say(
      'Kein eingeschalteter Endpunkt nimmt Alarme an. Unter „Konto“ stehen die Endpunkte.',
      'No enabled endpoint takes alerts. The page of the account lists the endpoints.',
    );
  return sentenceOf(problem);
}
