import * as Plot from '@observablehq/plot';
import { Chart } from '../../charts/chart.tsx';
import { say } from '../../format/language.ts';
import { count, plural } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { ACCURACIES, accuracyName } from '../../tenders/accuracy.ts';
import { AWARDS_DATASET } from '../../tenders/rounds.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { Award } from '../../v1/tender-answers.ts';

interface Counted {
  readonly accuracy: string;
  readonly awards: number;
}

const counted = (awards: readonly Award[]): readonly Counted[] =>
  ACCURACIES.map((accuracy) => ({
    accuracy,
    awards: awards.filter(({ geoGenauigkeit }) => geoGenauigkeit === accuracy).length,
  }));

/** Shows how exactly the places of awards are known, and how many have none. */
export function AccuracyFigure({
  loaded,
  request,
  name,
}: {
  loaded: Loaded<readonly Award[]>;
  request: ApiRequest;
  name: string;
}) {
  return (
    <Figure
      title={say(`Wie genau die Orte bekannt sind: ${name}`, `How exactly the places are known: ${name}`)}
      unit={say('Zuschläge nach dem, wofür ihre Koordinaten stehen', 'Awards by what their coordinates stand for')}
      loaded={loaded}
      requests={[request]}
      shows={say('die Genauigkeit der Orte', 'the accuracy of the places')}
      dataset={AWARDS_DATASET}
      table={(awards) => ({
        columns: [
          { name: say('Genauigkeit', 'Accuracy') },
          { name: say('Zuschläge', 'Awards'), numeric: true, digits: 0 },
        ],
        rows: counted(awards).map((row) => [accuracyName(row.accuracy), row.awards]),
      })}
      empty={(awards) =>
        awards.length === 0 ? say('Hier sind keine Zuschläge geladen.', 'No awards are loaded here.') : null
      }
      height={260}
    >
      {(awards) => (
        <>
          <p>{sentence(awards)}</p>
          <Chart
            label={say(
              `Zahl der Zuschläge nach Genauigkeit ihres Ortes: ${name}`,
              `Number of awards by the accuracy of their place: ${name}`,
            )}
            options={() => ({
              height: 260,
              marginLeft: 150,
              marginRight: 36,
              x: { label: null, axis: null },
              y: { label: null, domain: ACCURACIES, tickFormat: accuracyName, tickSize: 0 },
              marks: [
                Plot.barX(counted(awards), {
                  x: 'awards',
                  y: 'accuracy',
                  fill: ({ accuracy }: Counted) => (accuracy === 'KEINE' ? 'var(--line)' : 'var(--accent)'),
                }),
                Plot.text(counted(awards), {
                  x: 'awards',
                  y: 'accuracy',
                  text: ({ awards }: Counted) => count(awards),
                  textAnchor: 'start',
                  dx: 6,
                }),
                Plot.ruleX([0]),
              ],
            })}
          />
        </>
      )}
    </Figure>
  );
}

function sentence(awards: readonly Award[]): string {
  const without = awards.filter(({ geoGenauigkeit }) => geoGenauigkeit === 'KEINE').length;
  const linked = awards.filter(({ mastrNummern }) => mastrNummern.length > 0).length;
  const places =
    without === 0
      ? say('alle haben einen Ort', 'all have a place')
      : say(`${plural(without, 'hat', 'haben')} keinen Ort`, `${plural(without, 'has', 'have')} no place`);
  return (
    say(
      `Von ${plural(awards.length, 'Zuschlag', 'Zuschlägen')}: ${places}, `,
      `Of ${plural(awards.length, 'award', 'awards')}: ${places}, `,
    ) +
    say(
      `${plural(linked, 'ist', 'sind')} mit einer Einheit des Registers verknüpft.`,
      `${plural(linked, 'is', 'are')} linked with a unit of the register.`,
    )
  );
}
