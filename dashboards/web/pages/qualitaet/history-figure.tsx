import * as Plot from '@observablehq/plot';
import { Chart } from '../../charts/chart.tsx';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, power, unitCount } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { QualityDay, QualityHistory } from '../../v1/quality-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';

const HEIGHT = 260;
/** Room of a day, as it is written beneath the chart (px). */
const DAY_WIDTH = 90;

/** Draws how many units a rule named from export to export, in the whole register. @param rule '' = all conspicuous units */
export function HistoryFigure({ rule, ruleName }: { rule: string; ruleName: string }) {
  const request: ApiRequest = {
    path: '/v1/qualitaet/verlauf',
    query: { regel: rule === '' ? ['auffaellig'] : [rule] },
  };
  const loaded = useAnswer<QualityHistory>(request);
  const title = say(`Entwicklung: ${ruleName}`, `Development: ${ruleName}`);
  return (
    <Figure
      title={title}
      unit={say(
        'Einheiten je Tag des Exports, im ganzen Register, ohne die Auswahl oben',
        'Units by day of the export, in the whole register, without the choice above',
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('die Entwicklung von Export zu Export', 'the development from export to export')}
      table={({ data }) => historyTable(data)}
      empty={({ data }) => nothingOf(data)}
      height={HEIGHT}
      note={say(
        'Ändert ein neuer Stand des Dienstes die Grenzen einer Regel, so zeigt sich das als Stufe.',
        'If a new release of the service changes the limits of a rule, this shows as a step.',
      )}
    >
      {({ data }) => (
        <Chart
          label={say(`${title}, Einheiten je Tag`, `${title}, units by day`)}
          options={(width) => options(data, width)}
        />
      )}
    </Figure>
  );
}

function nothingOf(days: readonly QualityDay[]): string | null {
  const [first, second] = days;
  if (first === undefined)
    return say(
      'Von keinem Tag ist bekannt, wie viele es waren: Der nächste Stand zählt sie.',
      'Of no day is it known how many there were: the next state counts them.',
    );
  if (second !== undefined) return null;
  const units = unitCount(first.count);
  return say(
    `Bisher ist ein Tag bekannt: ${day(first.tag)} mit ${units}. Jeder weitere Stand fügt einen hinzu.`,
    `So far one day is known: ${day(first.tag)} with ${units}. Each further state adds one.`,
  );
}

const momentOf = ({ tag }: QualityDay): Date => new Date(`${tag}T00:00:00Z`);

const options = (days: readonly QualityDay[], width: number): Plot.PlotOptions => {
  const marginLeft = 60;
  const most = Math.max(2, Math.floor((width - marginLeft) / DAY_WIDTH));
  const step = Math.ceil(days.length / most);
  const named = days.filter((_, index) => index % step === 0);
  return {
    height: HEIGHT,
    marginLeft,
    marginRight: 40,
    marginTop: 24,
    x: { type: 'utc', axis: null },
    y: { label: say('Einheiten', 'units'), labelArrow: 'none', zero: true, nice: true, axis: null },
    marks: [
      Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 5 }),
      Plot.axisY({
        ticks: 5,
        tickSize: 0,
        // There is no half of a unit.
        tickFormat: (value: number) => (Number.isInteger(value) ? count(value) : ''),
        label: say('Einheiten', 'units'),
        labelArrow: 'none',
        labelAnchor: 'top',
        labelOffset: marginLeft - 2,
        fill: 'var(--faint)',
      }),
      Plot.axisX(named.map(momentOf), {
        tickSize: 0,
        tickFormat: (moment: Date) => day(moment.toISOString().slice(0, 10)),
        label: null,
        fill: 'var(--faint)',
      }),
      Plot.lineY(days, { x: momentOf, y: 'count', stroke: 'var(--accent)', strokeWidth: 2 }),
      Plot.dot(days, { x: momentOf, y: 'count', fill: 'var(--accent)', r: days.length > width / 8 ? 0 : 3 }),
      Plot.ruleY([0], { stroke: 'var(--ink)' }),
      Plot.tip(
        days,
        Plot.pointerX({
          x: momentOf,
          y: 'count',
          title: (one: QualityDay) => [day(one.tag), unitCount(one.count), power(one.bruttoleistungKw)].join('\n'),
          fill: 'var(--paper)',
          stroke: 'var(--line)',
        }),
      ),
    ],
  };
};

const historyTable = (days: readonly QualityDay[]) => ({
  columns: [
    { name: say('Tag des Exports', 'Day of the export') },
    { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
    { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 },
  ],
  rows: days.map(({ tag, count: units, bruttoleistungKw }) => [day(tag), units, bruttoleistungKw / 1000]),
});
