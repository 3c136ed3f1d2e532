import * as Plot from '@observablehq/plot';
import { Chart } from '../../charts/chart.tsx';
import { day } from '../../format/dates.ts';
import { count, plural, power } from '../../format/numbers.ts';
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
  const title = `Entwicklung: ${ruleName}`;
  return (
    <Figure
      title={title}
      unit="Einheiten je Tag des Exports, im ganzen Register, ohne die Auswahl oben"
      loaded={loaded}
      requests={[request]}
      shows="die Entwicklung von Export zu Export"
      table={({ data }) => historyTable(data)}
      empty={({ data }) => nothingOf(data)}
      height={HEIGHT}
      note="Ändert ein neuer Stand des Dienstes die Grenzen einer Regel, so zeigt sich das als Stufe."
    >
      {({ data }) => <Chart label={`${title}, Einheiten je Tag`} options={(width) => options(data, width)} />}
    </Figure>
  );
}

function nothingOf(days: readonly QualityDay[]): string | null {
  const [first, second] = days;
  if (first === undefined) return 'Von keinem Tag ist bekannt, wie viele es waren: Der nächste Stand zählt sie.';
  if (second !== undefined) return null;
  const units = plural(first.count, 'Einheit', 'Einheiten');
  return `Bisher ist ein Tag bekannt: ${day(first.tag)} mit ${units}. Jeder weitere Stand fügt einen hinzu.`;
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
    y: { label: 'Einheiten', labelArrow: 'none', zero: true, nice: true, axis: null },
    marks: [
      Plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 5 }),
      Plot.axisY({
        ticks: 5,
        tickSize: 0,
        // There is no half of a unit.
        tickFormat: (value: number) => (Number.isInteger(value) ? count(value) : ''),
        label: 'Einheiten',
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
          title: (one: QualityDay) =>
            [day(one.tag), plural(one.count, 'Einheit', 'Einheiten'), power(one.bruttoleistungKw)].join('\n'),
          fill: 'var(--paper)',
          stroke: 'var(--line)',
        }),
      ),
    ],
  };
};

const historyTable = (days: readonly QualityDay[]) => ({
  columns: [
    { name: 'Tag des Exports' },
    { name: 'Einheiten', numeric: true, digits: 0 },
    { name: 'Leistung', unit: 'MW', numeric: true, digits: 3 },
  ],
  rows: days.map(({ tag, count: units, bruttoleistungKw }) => [day(tag), units, bruttoleistungKw / 1000]),
});
