import { day, today } from '../../format/dates.ts';
import { Figure } from '../../frame/figure.tsx';
import { isDay } from '../../units/values.tsx';
import type { UnitProps } from './unit-props.ts';

interface Moment {
  readonly day: string;
  readonly name: string;
  readonly isAhead: boolean;
}

/** Every day that the fields of the unit name, from its first plan to the end of its support. */
export function Timeline({ unit, catalogue, request }: UnitProps) {
  const now = today();
  const moments = catalogue.fields
    .flatMap((field): readonly Moment[] => {
      const value = unit[field.name];
      return isDay(value) ? [{ day: value, name: catalogue.titleOf(field), isAhead: value > now }] : [];
    })
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  return (
    <Figure
      title="Verlauf"
      unit="Tage, die das Register nennt oder die sich aus ihm ergeben"
      loaded={{ state: 'ready', value: moments }}
      requests={[request]}
      height={60}
      shows="den Verlauf"
      table={(all) => ({
        columns: [{ name: 'Tag' }, { name: 'Was' }],
        rows: all.map((moment) => [day(moment.day), moment.name]),
      })}
      empty={(all) => (all.length === 0 ? 'Das Register nennt keinen Tag.' : null)}
      plain
    >
      {(all) => (
        <ol class="timeline">
          {all.map((moment) => (
            <li key={`${moment.day} ${moment.name}`} class={moment.isAhead ? 'ahead' : ''}>
              <time dateTime={moment.day}>{day(moment.day)}</time>
              <span>
                {moment.name}
                {moment.isAhead && <small> (steht bevor)</small>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Figure>
  );
}
