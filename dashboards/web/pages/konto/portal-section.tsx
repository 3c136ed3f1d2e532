import { useState } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { Failed } from '../../frame/state.tsx';
import type { PortalLink } from '../../v1/organisation-answers.ts';
import { type Problem, problemOf } from '../../v1/problem.ts';
import { useVisit } from '../../v1/use-answer.ts';

/** The way to the delivery log, which opens without a key for a quarter of an hour. */
export function PortalSection() {
  const { client, me } = useVisit();
  const [isOpening, setOpening] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const mayRead = me.key.scopes.includes('webhooks:read');

  const open = async (): Promise<void> => {
    // Browsers allow a new window during the click alone, so it is opened before its address is known.
    const opened = window.open('about:blank', '_blank');
    if (opened !== null) opened.opener = null;
    setOpening(true);
    setProblem(null);
    setLink(null);
    try {
      const { data } = await client.change<PortalLink>({ path: '/v1/webhooks/portal', method: 'POST' });
      if (opened === null) setLink(data.url);
      else opened.location.replace(data.url);
    } catch (error) {
      opened?.close();
      setProblem(problemOf(error));
    } finally {
      setOpening(false);
    }
  };
  return (
    <section class="figure" aria-labelledby="portal">
      <h2 id="portal">{say('Zustellprotokoll', 'Delivery log')}</h2>
      <p class="unit">
        {say(
          'Was wann an welchen Endpunkt ging, was er geantwortet hat, und was als Nächstes kommt',
          'What went when to which endpoint, what it answered, and what comes next',
        )}
      </p>
      {mayRead ? (
        <>
          <p class="actions">
            <button type="button" class="primary" disabled={isOpening} onClick={open}>
              {isOpening
                ? say('Wird geöffnet …', 'Opening …')
                : say('Protokoll in neuem Fenster öffnen', 'Open the log in a new window')}
            </button>
          </p>
          <p class="note">
            {say(
              'Der Link gilt 15 Minuten und braucht keinen Schlüssel: Wer ihn hat, sieht das Protokoll.',
              'The link holds for 15 minutes and needs no key: whoever has it sees the log.',
            )}
          </p>
        </>
      ) : (
        <div class="state barred" role="note">
          <h3>{say('Der Schlüssel darf das nicht lesen', 'The key may not read this')}</h3>
          <p>
            {say(
              'Für das Protokoll der Zustellungen braucht er das Recht ',
              'For the log of deliveries it needs the right ',
            )}
            <code>webhooks:read</code>.
          </p>
        </div>
      )}
      {link !== null && (
        <p role="status">
          {say('Der Browser hat kein neues Fenster erlaubt:', 'The browser has not allowed a new window:')}{' '}
          <a href={link} target="_blank" rel="noopener">
            {say('Protokoll öffnen', 'Open the log')}
          </a>
        </p>
      )}
      {problem !== null && (
        <Failed problem={problem} retry={open} shows={say('den Weg zum Protokoll', 'the way to the log')} />
      )}
    </section>
  );
}
