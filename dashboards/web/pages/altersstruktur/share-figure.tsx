import * as Plot from '@observablehq/plot';
import { carrierName } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { say } from '../../format/language.ts';
import { count, power, share } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { Table } from '../../frame/table.ts';
import { type CohortFigureProps, NOTHING_THERE } from './cohort-figure.tsx';
import { COHORTS, type Cohort, type CohortPart, type Measure, partsOf, shareOf, totalOf } from './cohorts.ts';

const ROW = 30;

/** Shows which part of each carrier is how old. */
export function ShareFigure({ loaded, request, carriers, measure, name }: CohortFigureProps) {
  const rowsOf = (parts: readonly CohortPart[]) => shareRows(parts, measure);
  return (
    <Figure
      title={say(`Altersgruppen je Energieträger: ${name}`, `Age groups by carrier: ${name}`)}
      unit={
        measure === 'mw'
          ? say('% der Bruttoleistung in Betrieb', '% of the gross power in operation')
          : say('% der Einheiten in Betrieb', '% of the units in operation')
      }
      loaded={loaded}
      requests={[request]}
      shows={say('die Altersgruppen je Energieträger', 'the age groups by carrier')}
      table={({ data }) => shareTable(rowsOf(partsOf(data, carriers)), measure)}
      empty={({ data }) => (partsOf(data, carriers).length === 0 ? NOTHING_THERE : null)}
      legend={{ entries: COHORTS.map(({ id, name: text, color }) => ({ id, name: text, color, on: true })) }}
      height={ROW * carriers.length + 40}
    >
      {({ data }) => <ShareChart rows={rowsOf(partsOf(data, carriers))} measure={measure} name={name} />}
    </Figure>
  );
}

interface ShareRow {
  readonly label: string;
  /** In the unit that is shown. */
  readonly total: number;
  readonly parts: readonly { readonly cohort: Cohort; readonly amount: number; readonly share: number }[];
}

/** A row for each carrier, and one for all of them where there are several. */
function shareRows(parts: readonly CohortPart[], measure: Measure): readonly ShareRow[] {
  const carriers = [...new Set(parts.map(({ carrier }) => carrier))];
  const rowOf = (label: string, some: readonly CohortPart[]): ShareRow => {
    const total = totalOf(some, measure);
    return {
      label,
      total,
      parts: COHORTS.map(({ id }) => {
        const amount = totalOf(
          some.filter(({ cohort }) => cohort === id),
          measure,
        );
        return { cohort: id, amount, share: shareOf(amount, total) ?? 0 };
      }),
    };
  };
  const rows = carriers
    .map((id) =>
      rowOf(
        carrierName(id),
        parts.filter(({ carrier }) => carrier === id),
      ),
    )
    .filter(({ total }) => total > 0);
  return rows.length > 1 ? [...rows, rowOf(say('Zusammen', 'Together'), parts)] : rows;
}

function ShareChart({ rows, measure, name }: { rows: readonly ShareRow[]; measure: Measure; name: string }) {
  const cells = rows.flatMap(({ label, parts }) => {
    let start = 0;
    return parts.map(({ cohort, share: width }) => {
      const x1 = start;
      start += width;
      return { label, cohort, x1, x2: start, share: width };
    });
  });
  const total = (value: number): string => (measure === 'mw' ? power(value * 1000) : count(value));
  return (
    <Chart
      label={say(`Anteile der Altersgruppen: ${name}`, `Shares of the age groups: ${name}`)}
      options={(width) => {
        const marginLeft = 94;
        const marginRight = 66;
        const inner = width - marginLeft - marginRight;
        const labelled = cells.filter((cell) => cell.share * inner > 40);
        return {
          height: ROW * rows.length + 34,
          marginLeft,
          marginRight,
          marginTop: 4,
          marginBottom: 28,
          x: { domain: [0, 1], axis: null },
          y: { domain: rows.map(({ label }) => label), axis: null, padding: 0.22 },
          marks: [
            Plot.axisX(inner < 260 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1], {
              tickSize: 0,
              tickFormat: (value: number) => share(value),
              label: null,
              fill: 'var(--faint)',
            }),
            Plot.axisY({ tickSize: 0, label: null }),
            Plot.barX(cells, {
              x1: 'x1',
              x2: 'x2',
              y: 'label',
              fill: ({ cohort }: { cohort: Cohort }) => COHORTS.find(({ id }) => id === cohort)?.color ?? 'none',
            }),
            Plot.text(labelled, {
              x: ({ x1, x2 }: { x1: number; x2: number }) => (x1 + x2) / 2,
              y: 'label',
              text: (cell: { share: number }) => share(cell.share),
              fill: ({ cohort }: { cohort: Cohort }) => (cohort === '0-20' ? 'var(--ink)' : 'var(--paper)'),
            }),
            Plot.text(rows, {
              y: 'label',
              frameAnchor: 'right',
              textAnchor: 'start',
              dx: 8,
              text: (row: ShareRow) => total(row.total),
              fill: 'var(--faint)',
            }),
          ],
        };
      }}
    />
  );
}

const shareTable = (rows: readonly ShareRow[], measure: Measure): Table => ({
  columns: [
    { name: say('Energieträger', 'Carrier') },
    ...COHORTS.map(({ name }) => ({ name, unit: '%', numeric: true })),
    measure === 'mw'
      ? { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 }
      : { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
  ],
  rows: rows.map(({ label, total, parts }) => [label, ...parts.map((part) => part.share * 100), total]),
});
