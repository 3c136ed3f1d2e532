import { useNavigation } from '../address/address.ts';
import { day } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { Figure } from '../frame/figure.tsx';
import type { SumChange } from '../v1/history-answers.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { type Measure, stepsOf, stepText, tableOfSum } from './causes.ts';
import { isCut, Waterfall } from './waterfall.tsx';

/** Draws how a sum came from one state to the other. */
export function SumFigure({ request, measure, name }: { request: ApiRequest; measure: Measure; name: string }) {
  const { address, at } = useNavigation();
  const loaded = useAnswer<SumChange>(request);
  const title = say(`Warum sich die Summe bewegt hat: ${name}`, `Why the sum moved: ${name}`);
  const tellsOperation = address.query.has('betriebsStatus');
  const { cursor: _, seite: __, ...kept } = Object.fromEntries(address.query);
  return (
    <Figure
      title={title}
      unit={
        measure === 'mw'
          ? say('MW brutto, von Stand zu Stand', 'MW gross, from state to state')
          : say('Einheiten, von Stand zu Stand', 'Units, from state to state')
      }
      loaded={loaded}
      requests={[request]}
      shows={say('warum sich die Summe bewegt hat', 'why the sum moved')}
      table={({ data }) => tableOfSum(data)}
      empty={({ data }) => nothingOf(data)}
      height={320}
      note={
        <>
          {say(
            'Jede Einheit zählt bei einer Ursache, und die Ursachen ergeben zusammen genau den Unterschied.',
            'Each unit counts at one cause, and the causes add up to exactly the difference.',
          )}{' '}
          {loaded.state === 'ready' &&
            isCut(stepsOf(loaded.value.data, measure)) &&
            say('Die Achse beginnt nicht bei null. ', 'The axis does not begin at zero. ')}
          {!tellsOperation && (
            <>
              {say(
                'In Betrieb genommen und stillgelegt heißt eine Änderung nur, wo nach dem Status gefiltert ist:',
                'A change is called commissioned or decommissioned only where the status is filtered:',
              )}{' '}
              <a href={at(address.path, { ...kept, betriebsStatus: 'In Betrieb' })}>
                {say('nur Anlagen in Betrieb', 'units in operation alone')}
              </a>
              .
            </>
          )}
        </>
      }
    >
      {({ data }) => {
        const steps = stepsOf(data, measure);
        const words = steps.map((step) => `${step.name} ${stepText(step, measure)}`).join(', ');
        return <Waterfall steps={steps} measure={measure} label={`${title}. ${words}`} />;
      }}
    </Figure>
  );
}

function nothingOf({ vorher, nachher, ursachen }: SumChange['data']): string | null {
  if (vorher.version === nachher.version)
    return say(
      `Zu beiden Tagen gehört derselbe Stand, der vom ${day(nachher.tag)}.`,
      `Both days have the same state, that of ${day(nachher.tag)}.`,
    );
  if (ursachen.length > 0) return null;
  return say(
    `Vom Stand des ${day(vorher.tag)} zu dem des ${day(nachher.tag)} hat sich nichts bewegt.`,
    `From the state of ${day(vorher.tag)} to that of ${day(nachher.tag)} nothing has moved.`,
  );
}
