import { useState } from 'preact/hooks';
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
      <h2 id="portal">Zustellprotokoll</h2>
      <p class="unit">Was wann an welchen Endpunkt ging, was er geantwortet hat, und was als Nächstes kommt</p>
      {mayRead ? (
        <>
          <p class="actions">
            <button type="button" class="primary" disabled={isOpening} onClick={open}>
              {isOpening ? 'Wird geöffnet …' : 'Protokoll in neuem Fenster öffnen'}
            </button>
          </p>
          <p class="note">Der Link gilt 15 Minuten und braucht keinen Schlüssel: Wer ihn hat, sieht das Protokoll.</p>
        </>
      ) : (
        <div class="state barred" role="note">
          <h3>Der Schlüssel darf das nicht lesen</h3>
          <p>
            Für das Protokoll der Zustellungen braucht er das Recht <code>webhooks:read</code>.
          </p>
        </div>
      )}
      {link !== null && (
        <p role="status">
          Der Browser hat kein neues Fenster erlaubt:{' '}
          <a href={link} target="_blank" rel="noopener">
            Protokoll öffnen
          </a>
        </p>
      )}
      {problem !== null && <Failed problem={problem} retry={open} shows="den Weg zum Protokoll" />}
    </section>
  );
}
