import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { quoted, say } from '../format/language.ts';
import { count } from '../format/numbers.ts';
import type { Loaded, Progress } from '../v1/loaded.ts';
import type { Problem } from '../v1/problem.ts';
import { helpsToRetry, missingScope, wordsOf } from '../v1/problem-words.ts';
import { useVisit } from '../v1/use-answer.ts';
import { ProblemText } from './problem-text.tsx';
import { useSaysFirst } from './said.ts';

/** These stand where a figure will stand, or cannot: loading, waiting for a limit, empty, refused. */

/** @param lines height that the content will have, so that nothing jumps when it comes */
export function Waiting({
  loaded,
  height,
}: {
  loaded: Extract<Loaded<unknown>, { state: 'loading' }>;
  height: number;
}) {
  return (
    <div class="state waiting" style={{ minHeight: `${height}px` }} role="status">
      {loaded.waitingUntil !== null ? (
        <Countdown until={loaded.waitingUntil} />
      ) : (
        <p>{say('Wird geladen …', 'Loading …')}</p>
      )}
      {loaded.progress !== null && <ProgressBar progress={loaded.progress} />}
    </div>
  );
}

export function ProgressBar({ progress: { done, of } }: { progress: Progress }) {
  const label =
    of === null
      ? say(`${count(done)} geladen`, `${count(done)} loaded`)
      : say(`${count(done)} von ${count(of)} geladen`, `${count(done)} of ${count(of)} loaded`);
  return (
    <label class="progress">
      <progress {...(of === null ? {} : { value: done, max: of })} />
      {label}
    </label>
  );
}

/** Counts down to the moment at which a load goes on by itself. */
export function Countdown({ until }: { until: number }) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return (
    <p>
      {say(
        'Das Limit für Anfragen ist erreicht. Es geht in ',
        'The limit of requests is reached. It goes on by itself in ',
      )}
      <b>{seconds} s</b>
      {say(' von selbst weiter.', '.')}
    </p>
  );
}

export function Empty({ height, children }: { height: number; children: ComponentChildren }) {
  return (
    <div class="state empty" style={{ minHeight: `${height}px` }}>
      <p>{children}</p>
    </div>
  );
}

/** A module as people book it; one that these pages do not know keeps its name. */
export const moduleName = (module: string): string => quoted(MODULE_NAMES[module] ?? module);

const MODULE_NAMES: Readonly<Record<string, string>> = {
  analysis: say('Analyse', 'Analysis'),
  workspace: say('Arbeitsbereich', 'Workspace'),
  portfolio: 'Portfolio',
  connection: say('Verbindungen', 'Connections'),
  ausschreibungen: say('Ausschreibungen', 'Tenders'),
  eeg_verguetung: say('EEG-Vergütung', 'EEG remuneration'),
  api: 'API',
};

/** @param shows what one would see here, in the accusative: „den Standort“ */
export function Failed({ problem, retry, shows }: { problem: Problem; retry: () => void; shows: string }) {
  const { root } = useVisit();
  const words = wordsOf(problem);
  const place = useRef<HTMLDivElement>(null);
  const isFirst = useSaysFirst(`${problem.code} ${problem.detail} ${JSON.stringify(problem.errors)}`, place);
  const isBarred = problem.code === 'MISSING_MODULE' || problem.code === 'MISSING_SCOPE';
  return (
    <div ref={place} class={isBarred ? 'state barred' : 'state failed'} role={isBarred || !isFirst ? 'note' : 'alert'}>
      {(isFirst || isBarred) && <h3>{isBarred ? barredTitle(problem) : words.title}</h3>}
      {isBarred ? (
        <p>
          {say('Hier sähe man ', 'Here one would see ')}
          {shows}.
        </p>
      ) : (
        !isFirst && (
          <p>
            {say('Aus demselben Grund sieht man ', 'For the same reason ')}
            {shows}
            {say(' nicht.', ' cannot be seen.')}
          </p>
        )
      )}
      {isFirst && <ProblemText problem={problem} />}
      <p class="actions">
        {helpsToRetry(problem) && (
          <button type="button" onClick={retry}>
            {say('Erneut versuchen', 'Try again')}
          </button>
        )}
        {isFirst && problem.status !== 0 && (
          <a href={`${root}docs/errors#${problem.code}`} target="_blank" rel="noopener">
            {say('Was ', 'What ')}
            {problem.code}
            {say(' bedeutet', ' means')}
          </a>
        )}
        {isFirst && problem.instance !== undefined && (
          <small>
            {say('Anfrage ', 'Request ')}
            {problem.instance}
          </small>
        )}
      </p>
    </div>
  );
}

function barredTitle(problem: Problem): string {
  const { code, detail = '' } = problem;
  if (code === 'MISSING_SCOPE') {
    const scope = missingScope(problem);
    return say(
      `Der Schlüssel darf das nicht lesen${scope === null ? '' : `: ihm fehlt ${scope}`}`,
      `The key may not read this${scope === null ? '' : `: it lacks ${scope}`}`,
    );
  }
  const module = Object.keys(MODULE_NAMES).find((name) => detail.includes(name));
  return module === undefined
    ? say('Ein Modul ist nicht gebucht', 'A module is not booked')
    : say(`Das Modul ${moduleName(module)} ist nicht gebucht`, `The module ${moduleName(module)} is not booked`);
}
