import { useState } from 'preact/hooks';
import { ProblemText } from '../frame/problem-text.tsx';
import type { Problem } from '../v1/problem.ts';
import { wordsOf } from '../v1/problem-words.ts';

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
      <h1>Energieanlagen in Deutschland</h1>
      <p class="lead">
        Das Marktstammdatenregister als Karten, Zeitreihen und Listen. Dafür braucht es einen API-Schlüssel.
      </p>
      {problem !== null && (
        <div class="state failed" role="alert">
          <h2>{wordsOf(problem).title}</h2>
          <ProblemText problem={problem} />
        </div>
      )}
      <form onSubmit={submit}>
        <label>
          API-Schlüssel
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
          {isChecking ? 'Wird geprüft …' : 'Öffnen'}
        </button>
      </form>
      <p class="note">
        Der Schlüssel wird nur an diesen Dienst gesendet. Er gilt in allen Tabs, bis zum Abmelden oder Ende des
        Browsers. Schlüssel vergibt die Verwaltung des Dienstes; beim ersten <code>npm start</code> steht eine Adresse
        mit Schlüssel in der Ausgabe. Mehr in der <a href={`${root}docs`}>Dokumentation der Schnittstelle</a>.
      </p>
    </main>
  );
}
