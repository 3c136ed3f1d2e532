import { day, today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
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
      title={say('Verlauf', 'History')}
      unit={say(
        'Tage, die das Register nennt oder die sich aus ihm ergeben',
        'Days that the register names or that follow from it',
      )}
      loaded={{ state: 'ready', value: moments }}
      requests={[request]}
      height={60}
      shows={say('den Verlauf', 'the history')}
      table={(all) => ({
        columns: [{ name: say('Tag', 'Day') }, { name: say('Was', 'What') }],
        rows: all.map((moment) => [day(moment.day), moment.name]),
      })}
      empty={(all) => (all.length === 0 ? say('Das Register nennt keinen Tag.', 'The register names no day.') : null)}
      plain
    >
      {(all) => (
        <ol class="timeline">
          {all.map((moment) => (
            <li key={`${moment.day} ${moment.name}`} class={moment.isAhead ? 'ahead' : ''}>
              <time dateTime={moment.day}>{day(moment.day)}</time>
              <span>
                {moment.name}
                {moment.isAhead && <small>{say(' (steht bevor)', ' (ahead)')}</small>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Figure>
  );
}
