import { say } from '../../format/language.ts';
import { count, power } from '../../format/numbers.ts';
import type { PlacedMark } from './load-tiles.ts';

/** Marks that are listed. */
const MOST_LISTED = 12;

/** What is seen as points, as a list: for readers who do not see the map, and for names that it does not have room for. */
export function SeenList({
  marks,
  addressOf,
  onOpen,
}: {
  /** The largest first. */
  marks: readonly PlacedMark[];
  addressOf: (mark: PlacedMark) => string;
  /** Shows the part of the map that a group stands for. */
  onOpen: (mark: PlacedMark) => void;
}) {
  if (marks.length === 0) return null;
  const more = marks.length - MOST_LISTED;
  return (
    <section class="highest seen">
      <h3>{say('Im Ausschnitt', 'In view')}</h3>
      <ul>
        {marks.slice(0, MOST_LISTED).map((mark) => (
          <li key={mark.id}>
            {mark.many === undefined ? (
              <a href={addressOf(mark)}>{mark.description.title}</a>
            ) : (
              <button type="button" onClick={() => onOpen(mark)}>
                {mark.description.title}
              </button>
            )}
            <span>
              {mark.many === undefined ? mark.kind : say(`vor allem ${mark.kind}`, `mostly ${mark.kind}`)} ·{' '}
              {power(mark.kilowatts)}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p class="note">
          {say(`${count(more)} weitere: näher heran, oder als Liste.`, `${count(more)} more: closer, or as a list.`)}
        </p>
      )}
    </section>
  );
}
