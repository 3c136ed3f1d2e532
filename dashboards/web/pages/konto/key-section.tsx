import { say } from '../../format/language.ts';
import type { Me } from '../../v1/answers.ts';
import { SCOPES } from './scopes.ts';

/** Says which key this is, and what it may do. */
export function KeySection({ me: { key } }: { me: Me }) {
  const further = key.scopes.filter((scope) => SCOPES[scope] === undefined);
  return (
    <section class="figure" aria-labelledby="key">
      <h2 id="key">{say('Schlüssel', 'Key')}</h2>
      <p class="unit">
        {say('Beginnt mit ', 'Begins with ')}
        <code>{key.prefix}</code>
        {say(
          '. Rechte eines Schlüssels ändern sich nie; für andere braucht es einen anderen Schlüssel.',
          '. The rights of a key never change; for others it takes another key.',
        )}
      </p>
      <ul class="granted">
        {Object.entries(SCOPES).map(([scope, words]) => (
          <Granted key={scope} is={key.scopes.includes(scope)} words={words} code={scope} />
        ))}
        {further.map((scope) => (
          <Granted key={scope} is words={say('Weiteres Recht', 'Further right')} code={scope} />
        ))}
      </ul>
      {key.unbekannteScopes.length > 0 && (
        <p class="note">
          {say(
            'Rechte, die diese Fassung des Dienstes nicht kennt: ',
            'Rights that this release of the service does not know: ',
          )}
          <bdi>{key.unbekannteScopes.join(', ')}</bdi>
        </p>
      )}
    </section>
  );
}

/** A line with a mark that says more than its colour. */
export function Granted({ is, words, code, more }: { is: boolean; words: string; code: string; more?: string }) {
  return (
    <li class={is ? 'yes' : 'no'}>
      <span aria-hidden="true">{is ? '✓' : '–'}</span>
      <div>
        {words} <code>{code}</code>
        <span class="visually-hidden">
          {is ? say(' (vorhanden)', ' (there)') : say(' (nicht vorhanden)', ' (not there)')}
        </span>
        {more !== undefined && <small>{more}</small>}
      </div>
    </li>
  );
}
