import { say } from '../../format/language.ts';
import { count, unitCount } from '../../format/numbers.ts';
import type { Area } from '../../map/boundaries.ts';
import { nameOf } from './area-words.ts';
import type { Measure } from './measures.ts';
import type { Elsewhere, Values } from './values.ts';

/** Lists beside the map: what a map of small areas hides, and what it does not have. */

/** Areas or places that are listed. */
const MOST_LISTED = 12;

/** The areas with the highest values. */
export function Highest({
  values: { areas, valueByKey },
  measure,
  onChoose,
}: {
  values: Values;
  measure: Measure;
  onChoose: (area: Area) => void;
}) {
  const ranked = areas
    .flatMap((area) => {
      const one = valueByKey.get(area.key);
      return one?.state === 'units' && one.value > 0 ? [{ area, value: one.value, units: one.group.count }] : [];
    })
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_LISTED);
  if (areas.length < 2 || ranked.length === 0) return null;
  return (
    <section class="highest">
      <h3>
        {say('Die höchsten Werte', 'The highest values')} <small>{measure.shortUnit}</small>
      </h3>
      <ol>
        {ranked.map(({ area, value, units }) => (
          <li key={area.key}>
            <button type="button" onClick={() => onChoose(area)}>
              {area.label}
            </button>
            <span>
              {measure.write(value)}
              {measure.kind === 'anteil' && <small> ({unitCount(units)})</small>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The places without an area on the map, those with the most units first. */
export function NotOnMap({
  elsewhere,
  measure,
  placeOf,
  onChoose,
}: {
  elsewhere: readonly Elsewhere[];
  measure: Measure;
  /** The value of a place as a region; null = it leads nowhere. */
  placeOf: (one: Elsewhere) => string | null;
  onChoose: (place: string) => void;
}) {
  if (elsewhere.length === 0) return null;
  const more = elsewhere.length - MOST_LISTED;
  return (
    <section class="highest not-on-map">
      <h3>
        {say('Nicht auf der Karte', 'Not on the map')} <small>{measure.shortUnit}</small>
      </h3>
      <ul>
        {elsewhere.slice(0, MOST_LISTED).map((one) => {
          const place = placeOf(one);
          const name = nameOf(one.group);
          return (
            <li key={one.group.key}>
              {place === null ? (
                <span>{name}</span>
              ) : (
                <button type="button" onClick={() => onChoose(place)}>
                  {name}
                </button>
              )}
              <span>{one.value === null ? '–' : measure.write(one.value)}</span>
            </li>
          );
        })}
      </ul>
      {more > 0 && (
        <p class="note">
          {say(`${count(more)} weitere stehen in der Tabelle.`, `${count(more)} more stand in the table.`)}
        </p>
      )}
    </section>
  );
}
