import { useNavigation } from '../address/address.ts';
import type { LinkFault } from '../address/link-faults.ts';

/** Values of links are as long as somebody likes. */
const MOST_LETTERS = 80;

/** Stands in place of what a link asks for in words that the page does not know. */
export function LinkRefused({ faults }: { faults: readonly LinkFault[] }) {
  const { address, at } = useNavigation();
  const rest = [...address.query].filter(([name]) => !faults.some((fault) => fault.name === name));
  return (
    <div class="state failed" role="alert">
      <h2>Dem Link lässt sich nicht folgen</h2>
      <p>Gezeigt wird nichts, damit es nicht etwas anderes ist, als gemeint war.</p>
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
          Ohne {faults.length === 1 ? 'diese Angabe' : 'diese Angaben'} öffnen
        </a>
      </p>
    </div>
  );
}

const shortened = (text: string): string => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text);
