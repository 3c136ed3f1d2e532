import { useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { ProblemText } from '../frame/problem-text.tsx';
import type { Problem } from '../v1/problem.ts';
import { wordsOf } from '../v1/problem-words.ts';
import { LanguageLink } from './language-link.tsx';

/** Asks for the key, once for all tabs of a browser. */
export function Gate({
  isChecking,
  problem,
  root,
  onKey,
}: {
  isChecking: boolean;
  problem: Problem | null;
  root: string;
  onKey: (key: string) => void;
}) {
  const [typed, type] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const key = typed.trim();
    if (key !== '') onKey(key);
  };
  return (
    <main class="gate" aria-busy={isChecking}>
      <h1>{say('Energieanlagen in Deutschland', 'Energy assets in Germany')}</h1>
      <p class="lead">
        {say(
          'Das Marktstammdatenregister als Karten, Zeitreihen und Listen. Dafür braucht es einen API-Schlüssel.',
          'The register of energy assets (Marktstammdatenregister) as maps, time series and lists. This takes an API key.',
        )}
      </p>
      {problem !== null && (
        <div class="state failed" role="alert">
          <h2>{wordsOf(problem).title}</h2>
          <ProblemText problem={problem} />
        </div>
      )}
      <form onSubmit={submit}>
        <label>
          {say('API-Schlüssel', 'API key')}
          <input
            type="password"
            name="key"
            autocomplete="off"
            spellcheck={false}
            required
            placeholder="mds_live_…"
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
            disabled={isChecking}
          />
        </label>
        <button type="submit" class="primary" disabled={isChecking}>
          {isChecking ? say('Wird geprüft …', 'Checking …') : say('Öffnen', 'Open')}
        </button>
      </form>
      <p class="note">
        {say(
          <>
            {' '}
            Der Schlüssel wird nur an diesen Dienst gesendet. Er gilt in allen Tabs, bis zum Abmelden oder Ende des
            Browsers. Schlüssel vergibt die Verwaltung des Dienstes; beim ersten <code>npm start</code> steht eine
            Adresse mit Schlüssel in der Ausgabe. Mehr in der{' '}
            <a href={`${root}docs`}>Dokumentation der Schnittstelle</a>.
          </>,
          <>
            The key is sent to this service alone. It holds in all tabs, until you sign out or close the browser. Keys
            come from the administration of the service; the first <code>npm start</code> prints an address with a key.
            More in the <a href={`${root}docs`}>documentation of the interface</a>.
          </>,
        )}{' '}
        <LanguageLink root={root} />
      </p>
    </main>
  );
}
