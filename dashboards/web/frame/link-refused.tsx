import { useNavigation } from '../address/address.ts';
import type { LinkFault } from '../address/link-faults.ts';
import { say } from '../format/language.ts';

/** Values of links are as long as somebody likes. */
const MOST_LETTERS = 80;

/** Stands in place of what a link asks for in words that the page does not know. */
export function LinkRefused({ faults }: { faults: readonly LinkFault[] }) {
  const { address, at } = useNavigation();
  const rest = [...address.query].filter(([name]) => !faults.some((fault) => fault.name === name));
  return (
    <div class="state failed" role="alert">
      <h2>{say('Dem Link lässt sich nicht folgen', 'The link cannot be followed')}</h2>
      <p>
        {say(
          'Gezeigt wird nichts, damit es nicht etwas anderes ist, als gemeint war.',
          'Nothing is shown, so that it is not something else than was meant.',
        )}
      </p>
      <ul>
        {faults.map(({ name, value, why }) => (
          <li key={`${name} ${value}`}>
            <code>
              {shortened(name)}=<bdi>{shortened(value)}</bdi>
            </code>{' '}
            {why}
          </li>
        ))}
      </ul>
      <p class="actions">
        <a href={at(address.path, Object.fromEntries(rest))}>
          {say('Ohne ', 'Open without ')}
          {faults.length === 1 ? say('diese Angabe', 'this part') : say('diese Angaben', 'these parts')}
          {say(' öffnen', '')}
        </a>
      </p>
    </div>
  );
}

const shortened = (text: string): string => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text);
