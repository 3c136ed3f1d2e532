import { say } from '../format/language.ts';
import type { Problem } from '../v1/problem.ts';
import { concernedBy, wordsOf } from '../v1/problem-words.ts';

/** Says why something failed; what the interface said stands beneath, folded, for whoever runs or programs it. */
export function ProblemText({ problem }: { problem: Problem }) {
  const { text } = wordsOf(problem);
  const concerned = concernedBy(problem);
  const { status, detail, errors = [] } = problem;
  const details = [detail, ...errors.map((error) => error.detail)].filter((words) => words !== undefined);
  return (
    <>
      {text !== '' && <p>{text}</p>}
      {concerned.length > 0 && (
        <p>
          {say('Betroffen:', 'Concerned:')}{' '}
          {concerned.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <code>{name}</code>
            </span>
          ))}
        </p>
      )}
      {status !== 0 && details.length > 0 && (
        <details class="wording">
          <summary>{say('Wortlaut der Schnittstelle', 'Words of the interface')}</summary>
          {[...new Set(details)].map((words) => (
            <p key={words} lang="en">
              {words}
            </p>
          ))}
        </details>
      )}
    </>
  );
}
