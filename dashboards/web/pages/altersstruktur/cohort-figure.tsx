import * as Plot from '@observablehq/plot';
import { type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { say } from '../../format/language.ts';
import { count, megawatts, share } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { LegendEntry } from '../../frame/legend.tsx';
import type { Table } from '../../frame/table.ts';
import type { AgeStructure } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { COHORTS, type CohortPart, type Measure, partsOf, shareOf, totalOf } from './cohorts.ts';

export interface CohortFigureProps {
  readonly loaded: Loaded<AgeStructure>;
  readonly request: ApiRequest;
  readonly carriers: readonly Carrier[];
  readonly measure: Measure;
  /** Name of the region. */
  readonly name: string;
}

export const NOTHING_THERE = say(
  'Hier sind keine Anlagen mit Inbetriebnahmedatum in Betrieb.',
  'No units with a day of commissioning are in operation here.',
);

/** The stock by cohort, stacked by carrier. */
export function CohortFigure({
  loaded,
  request,
  carriers,
  measure,
  name,
  legend,
}: CohortFigureProps & { legend: { entries: readonly LegendEntry[]; onToggle: (id: string) => void } }) {
  return (
    <Figure
      title={say(`Anlagen in Betrieb nach Altersgruppe: ${name}`, `Units in operation by age group: ${name}`)}
      unit={say(
        `${measure === 'mw' ? 'MW brutto' : 'Einheiten'} und Anteil, nach vollendeten Jahren seit der Inbetriebnahme`,
        `${measure === 'mw' ? 'MW gross' : 'units'} and share, by completed years since commissioning`,
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('das Alter der Anlagen in Betrieb', 'the age of the units in operation')}
      table={({ data }) => cohortTable(partsOf(data, carriers))}
      empty={({ data }) => (partsOf(data, carriers).length === 0 ? NOTHING_THERE : null)}
      legend={legend}
      height={230}
    >
      {({ data }) => <CohortChart parts={partsOf(data, carriers)} measure={measure} name={name} />}
    </Figure>
  );
}

function CohortChart({ parts, measure, name }: { parts: readonly CohortPart[]; measure: Measure; name: string }) {
  const format = measure === 'mw' ? megawatts : count;
  const all = totalOf(parts, measure);
  const sums = COHORTS.map(({ id }) => {
    const sum = totalOf(
      parts.filter(({ cohort }) => cohort === id),
      measure,
    );
    return { cohort: id, sum, text: `${format(sum)} (${share(shareOf(sum, all))})` };
  });
  return (
    <Chart
      label={say(`Balken je Altersgruppe: ${name}`, `Bars by age group: ${name}`)}
      options={(width) => {
        const isNarrow = width < 480;
        return {
          height: 200,
          marginLeft: isNarrow ? 62 : 142,
          // The figures at the end of the longest bar need room beside it.
          marginRight: isNarrow ? 96 : 120,
          marginTop: 8,
          marginBottom: 26,
          x: { axis: null, nice: true },
          y: { domain: COHORTS.map(({ id }) => id), axis: null, padding: 0.28 },
          marks: [
            Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: isNarrow ? 3 : 4 }),
            Plot.axisX({
              ticks: isNarrow ? 3 : 4,
              tickSize: 0,
              tickFormat: format,
              label: null,
              fill: 'var(--faint)',
            }),
            Plot.axisY({
              tickSize: 0,
              label: null,
              tickFormat: (id: string) => {
                const cohort = COHORTS.find((one) => one.id === id);
                return (isNarrow ? cohort?.short : cohort?.name) ?? id;
              },
            }),
            Plot.barX(parts, {
              x: measure,
              y: 'cohort',
              fill: ({ carrier }: CohortPart) => carrierColor(carrier),
              // Rows come in the order of carriers.
              order: null,
            }),
            Plot.ruleX([0], { stroke: 'var(--ink)' }),
            Plot.text(sums, { x: 'sum', y: 'cohort', text: 'text', textAnchor: 'start', dx: 6, fill: 'var(--ink)' }),
          ],
        };
      }}
    />
  );
}

function cohortTable(parts: readonly CohortPart[]): Table {
  const units = totalOf(parts, 'anzahl');
  const power = totalOf(parts, 'mw');
  const percent = (part: number, whole: number): number | null => {
    const found = shareOf(part, whole);
    return found === null ? null : found * 100;
  };
  return {
    columns: [
      { name: say('Alter', 'Age') },
      { name: say('Energieträger', 'Carrier') },
      { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
      { name: say('Anteil', 'Share'), unit: say('% der Einheiten', '% of the units'), numeric: true },
      { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 },
      { name: say('Anteil', 'Share'), unit: say('% der Leistung', '% of the power'), numeric: true },
    ],
    rows: parts.map(({ cohort, carrier, anzahl, mw }) => [
      COHORTS.find(({ id }) => id === cohort)?.name ?? cohort,
      carrierName(carrier),
      anzahl,
      percent(anzahl, units),
      mw,
      percent(mw, power),
    ]),
  };
}
