import { useState } from 'preact/hooks';
import { day, time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { useDayOfRegister } from '../../frame/source.ts';
import type { Catalogue } from '../../units/catalogue.ts';
import { changesText, FieldChanges, kindOfChange } from '../../units/field-changes.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import type { UnitHistory, UnitInterval } from '../../v1/history-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';

interface Props {
  /** Number of the unit, which may have left the register. */
  readonly number: string;
  readonly catalogue: Catalogue;
}

/** What the unit was like before: it is asked for when somebody opens it. */
export function Changes(props: Props) {
  const [isOpen, open] = useState(false);
  return (
    <details
      class="as-table unit-changes"
      open={isOpen}
      onToggle={(event) => open((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>{say('Was sich an dieser Einheit geändert hat', 'What changed about this unit')}</summary>
      {isOpen && <ChangesFigure {...props} />}
    </details>
  );
}

function ChangesFigure({ number, catalogue }: Props) {
  const signals = useSignalTexts(true);
  const request: ApiRequest = { path: `/v1/units/${encodeURIComponent(number)}/historie` };
  const loaded = useAnswer<UnitHistory>(request);
  const asOf = useDayOfRegister();
  return (
    <Figure
      title={say('Änderungen von Stand zu Stand', 'Changes from state to state')}
      unit={say('Tage der Stände, die neuesten zuerst', 'Days of the states, the newest first')}
      loaded={loaded}
      requests={[request]}
      height={60}
      shows={say('was sich geändert hat', 'what changed')}
      table={({ data, meta }) => ({
        columns: [
          { name: say('Stand', 'State') },
          { name: say('Stand davor', 'State before') },
          { name: say('Was', 'What') },
          { name: say('Vorher → nachher', 'Before → after') },
          { name: say('Im Register aktualisiert', 'Updated in the register') },
        ],
        rows: data.intervalle.map((one) => [
          day(dayOf(one, meta.bekanntAb)),
          one.nach === null ? null : day(one.nach.tag),
          kindOfChange(one.art, one.grund),
          changesText(one.aenderungen, catalogue, signals) || null,
          time(one.datumLetzteAktualisierung),
        ]),
      })}
      empty={({ data, meta }) => nothingOf(data.intervalle, meta.bekanntAb, asOf)}
      note={say(
        'Was zwischen zwei Ständen war, ist nicht bekannt: Eine Änderung liegt irgendwo zwischen ihnen.',
        'What was between two states is not known: a change lies somewhere between them.',
      )}
      plain
    >
      {({ data, meta }) => (
        <ol class="timeline">
          {data.intervalle.map((one) => {
            const since = dayOf(one, meta.bekanntAb);
            return (
              <li key={`${since} ${one.art}`}>
                <time dateTime={since ?? undefined}>{day(since)}</time>
                <div>
                  {kindOfChange(one.art, one.grund)}
                  {one.nach !== null && (
                    <small>
                      {say(` nach dem Stand vom ${day(one.nach.tag)}`, ` after the state of ${day(one.nach.tag)}`)}
                    </small>
                  )}
                  <FieldChanges changes={one.aenderungen} {...{ catalogue, signals }} />
                </div>
              </li>
            );
          })}
        </ol>
      )}
    </Figure>
  );
}

/** The day of the state from which on it was so. */
const dayOf = ({ von }: UnitInterval, first: string | null): string | null => von?.tag ?? first;

function nothingOf(
  [newest, ...more]: readonly UnitInterval[],
  first: string | null,
  asOf: string | null,
): string | null {
  if (first === null)
    return say(
      'Noch ist kein Stand bekannt, der sich vergleichen ließe: Der nächste bringt ihn.',
      'No state is known yet that could be compared: the next one brings it.',
    );
  if (newest?.art !== 'bestand' || more.length > 0) return null;
  return first === asOf
    ? say(
        `Bekannt ist erst ein Stand, der vom ${day(first)}. Ab dem nächsten steht hier, was sich ändert.`,
        `Only one state is known, that of ${day(first)}. From the next one on, what changes stands here.`,
      )
    : say(
        `Seit dem ersten bekannten Stand, dem vom ${day(first)}, hat sich nichts geändert.`,
        `Since the first state that is known, that of ${day(first)}, nothing has changed.`,
      );
}
