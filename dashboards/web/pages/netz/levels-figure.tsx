import * as Plot from '@observablehq/plot';
import { carrierColor, carrierName, carrierRank } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { say } from '../../format/language.ts';
import { power } from '../../format/numbers.ts';
import { registerWord } from '../../format/register-words.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, tableOf } from '../../frame/row-table.tsx';
import type { Grid, GridRow } from '../../v1/grid-answers.ts';
import { type Loaded, mapLoaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';

const ROW = 34;

/** „Niederspannung“: what a level is called without its remark in brackets. */
const levelName = (level: string | null): string =>
  level === null ? say('ohne Anschlusspunkt', 'no connection point') : registerWord(level).replace(/ \(.*\)$/, '');

/** Draws the capacity in operation at each voltage level, by carrier. */
export function LevelsFigure({ loaded, request, name }: { loaded: Loaded<Grid>; request: ApiRequest; name: string }) {
  const title = say(`Leistung nach Spannungsebene: ${name}`, `Power by voltage level: ${name}`);
  const rows = mapLoaded(loaded, ({ data }) => data.spannungsebenen);
  const carriers = (list: readonly GridRow[]) =>
    [...new Set(list.filter(({ bestand }) => bestand.bruttoleistungKw > 0).map(({ einheitTyp }) => einheitTyp))].sort(
      (one, other) => carrierRank(one) - carrierRank(other),
    );
  const shownRows = loaded.state === 'ready' ? loaded.value.data.spannungsebenen : [];
  return (
    <Figure
      title={title}
      unit={say('MW brutto, Anlagen in Betrieb', 'MW gross, units in operation')}
      loaded={rows}
      requests={[request]}
      shows={say('die Leistung nach Spannungsebene', 'the power by voltage level')}
      table={(list) => tableOf(COLUMNS, list)}
      empty={(list) =>
        list.length === 0 ? say('Zu dieser Auswahl gehört keine Einheit.', 'No unit belongs to this choice.') : null
      }
      legend={{
        entries: carriers(shownRows).map((id) => ({ id, name: carrierName(id), color: carrierColor(id), on: true })),
      }}
      note={say(
        'Die Tabelle hat auch, was geplant ist, die Nettonennleistung und was sich fernsteuern lässt.',
        'The table has what is planned, too, the net power, and what can be controlled remotely.',
      )}
    >
      {(list) => <Levels rows={list} title={title} />}
    </Figure>
  );
}

function Levels({ rows, title }: { rows: readonly GridRow[]; title: string }) {
  const levels = [...new Set(rows.map(({ spannungsebene }) => levelName(spannungsebene)))];
  const bars = rows
    .map(({ spannungsebene, einheitTyp, bestand }) => ({
      level: levelName(spannungsebene),
      carrier: einheitTyp,
      mw: bestand.bruttoleistungKw / 1000,
    }))
    .sort((one, other) => carrierRank(one.carrier) - carrierRank(other.carrier));
  const totals = levels.map((level) => ({
    level,
    mw: bars.filter((bar) => bar.level === level).reduce((sum, { mw }) => sum + mw, 0),
  }));
  return (
    <Chart
      label={`${title}. ${totals.map(({ level, mw }) => `${level} ${power(mw * 1000)}`).join(', ')}`}
      options={(width) => ({
        height: ROW * levels.length + 34,
        // Names of levels are long: on a telephone they stand above their bars.
        marginLeft: width < 600 ? 4 : 290,
        marginRight: 78,
        marginTop: width < 600 ? 14 : 4,
        marginBottom: 28,
        x: { axis: null },
        y: { domain: levels, axis: null, padding: width < 600 ? 0.5 : 0.25 },
        marks: [
          Plot.barX(bars, Plot.stackX({ x: 'mw', y: 'level', fill: ({ carrier }) => carrierColor(carrier) })),
          ...(width < 600
            ? [
                Plot.text(totals, {
                  y: 'level',
                  frameAnchor: 'left',
                  textAnchor: 'start',
                  dy: -ROW / 2 + 3,
                  text: 'level',
                  fill: 'var(--ink)',
                }),
              ]
            : [Plot.axisY({ tickSize: 0, label: null })]),
          Plot.text(totals, {
            y: 'level',
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 6,
            text: ({ mw }: { mw: number }) => power(mw * 1000),
            fill: 'var(--faint)',
          }),
        ],
      })}
    />
  );
}

const megawatts = (name: string, kw: (row: GridRow) => number): RowColumn<GridRow> => ({
  name,
  unit: 'MW',
  numeric: true,
  digits: 3,
  value: (row) => kw(row) / 1000,
});

const units = (name: string, of: (row: GridRow) => number): RowColumn<GridRow> => ({
  name,
  numeric: true,
  digits: 0,
  value: of,
});

const COLUMNS: readonly RowColumn<GridRow>[] = [
  { name: say('Spannungsebene', 'Voltage level'), value: ({ spannungsebene }) => levelName(spannungsebene) },
  { name: say('Energieträger', 'Carrier'), value: ({ einheitTyp }) => carrierName(einheitTyp) },
  units(say('In Betrieb', 'In operation'), ({ bestand }) => bestand.anzahl),
  megawatts(say('In Betrieb, brutto', 'In operation, gross'), ({ bestand }) => bestand.bruttoleistungKw),
  megawatts(say('In Betrieb, netto', 'In operation, net'), ({ bestand }) => bestand.nettonennleistungKw),
  units(say('Geplant', 'Planned'), ({ pipeline }) => pipeline.anzahl),
  megawatts(say('Geplant, brutto', 'Planned, gross'), ({ pipeline }) => pipeline.bruttoleistungKw),
  megawatts(say('Fernsteuerbar', 'Remotely controlled'), ({ fernsteuerbar }) => fernsteuerbar.bruttoleistungKw),
  megawatts(
    say('durch Netzbetreiber', 'by grid operators'),
    ({ fernsteuerbar }) => fernsteuerbar.netzbetreiber.bruttoleistungKw,
  ),
  megawatts(say('ohne Angabe', 'not stated'), ({ fernsteuerbar }) => fernsteuerbar.ohneAngabe.bruttoleistungKw),
];
