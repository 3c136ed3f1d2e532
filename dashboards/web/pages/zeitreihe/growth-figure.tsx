import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { CARRIERS, type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { toggled } from '../../frame/legend.tsx';
import { firstDay, lastDay, lengthOf, periodOfDay, type Range } from '../../periods/periods.ts';
import { spanText } from '../../periods/words.ts';
import { analysisQuery, placesText } from '../../regions/region.ts';
import type { TimeSeries } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { Choices } from './choice-bar.tsx';
import { type Column, columnsOf, cumulated, measured, sumOf } from './growth.ts';
import { GrowthChart, type GrowthView } from './growth-chart.tsx';
import { growthTable } from './growth-table.ts';
import { GrowthNotes, GrowthTotals } from './growth-totals.tsx';
import { growthTitle, growthUnit } from './growth-words.ts';
import { RangeStrip } from './range-strip.tsx';

/** More carriers than this are charts of their own, where they are to stand side by side. */
const MOST_SIDE_BY_SIDE = 3;
/** Quarters of twelve years: more periods than this leave grouped bars no width. */
const MOST_GROUPS = 48;

export interface GrowthFigureProps {
  readonly loaded: Loaded<TimeSeries>;
  readonly choices: Choices & { readonly traeger: readonly Carrier[] };
  /** Name of the region. */
  readonly name: string;
  readonly asOf: string;
  readonly range: Range;
  /** The span of the strip under the chart; it stays while something is dragged. */
  readonly span: Range;
  onCarriers(carriers: readonly Carrier[]): void;
  onDraft(range: Range | null): void;
  onRange(range: Range): void;
}

export function GrowthFigure(props: GrowthFigureProps) {
  const { loaded, choices, name, asOf, range, span } = props;
  const { region, periode, wert, kumuliert, traeger, reihen, portfolio } = choices;
  const { at } = useNavigation();
  const now = periodOfDay(periode, asOf);
  const request: ApiRequest = {
    path: '/v1/region/zeitreihe',
    query: {
      ...analysisQuery(region, portfolio),
      energietraeger: traeger.length === CARRIERS.length ? [] : traeger,
      periode,
      von: firstDay(periode, range.first),
      bis: lastDay(periode, range.last),
    },
  };
  const present = useMemo(() => carriersIn(loaded), [loaded]);
  const view: GrowthView = { kind: periode, range, measure: wert, series: reihen, carriers: traeger, asOf };
  const drawn: GrowthView = { ...view, carriers: traeger.filter((id) => present.includes(id)) };
  const arrangement = arrangementOf(choices.anordnung === 'nebeneinander', drawn.carriers, range);
  /** Without the running sums: what happened in each period. */
  const plain = (answer: TimeSeries): readonly Column[] => columnsOf(answer.data, periode, range, traeger);
  const shownColumns = (answer: TimeSeries): readonly Column[] =>
    kumuliert ? cumulated(plain(answer), now) : plain(answer);
  return (
    <Figure
      title={growthTitle(view, name, kumuliert)}
      unit={`${growthUnit(view, kumuliert)}${arrangement === 'charts' ? say('; jede Achse hat ihre eigene Skala', '; each axis has its own scale') : ''}`}
      loaded={loaded}
      requests={[request]}
      shows={say('Zubau, Abbau und Pipeline im Verlauf der Zeit', 'Additions, removals and pipeline over time')}
      height={400}
      more={{
        href: at('vergleich', comparedAs(choices, { ...range, last: Math.min(range.last, now) })),
        name: say('Vergleichen', 'Compare'),
      }}
      table={(answer) => growthTable(shownColumns(answer), view, kumuliert)}
      empty={(answer) =>
        answer.data.length === 0
          ? say(
              `Für ${name} ist weder Zubau noch Abbau noch Pipeline bekannt.`,
              `For ${name}, neither additions nor removals nor pipeline are known.`,
            )
          : null
      }
      legend={{
        entries: present.map((id) => ({
          id,
          name: carrierName(id),
          color: carrierColor(id),
          on: traeger.includes(id),
        })),
        onToggle: (id) => props.onCarriers(toggled(id as Carrier, traeger, CARRIERS)),
        ...(reihen.includes('netto') && arrangement !== 'grouped'
          ? { line: say('Netto (Zubau − Abbau)', 'Net (added − removed)') }
          : {}),
        ...(reihen.includes('pipeline') ? { hatched: say('geplant', 'planned') } : {}),
      }}
    >
      {(answer) => {
        // While another kind of period is loading, the former answer is still here, and it has other periods.
        if (answer.meta.periode !== periode) return <div style={{ minHeight: '400px' }} />;
        const columns = shownColumns(answer);
        return (
          <>
            <GrowthTotals columns={plain(answer)} view={view} />
            <Drawings columns={columns} view={drawn} arrangement={arrangement} name={name} />
            <RangeStrip
              kind={periode}
              span={span}
              range={range}
              heights={stripHeights(columnsOf(answer.data, periode, span, traeger), view)}
              onDraft={props.onDraft}
              onChoose={props.onRange}
            />
            <GrowthNotes columns={plain(answer)} rows={answer.data} view={view} />
          </>
        );
      }}
    </Figure>
  );
}

/** The same choice beside the country, or, of the country, beside the examples of the page Vergleich. */
const comparedAs = ({ region, wert, periode, traeger }: GrowthFigureProps['choices'], range: Range) => ({
  orte: region === null ? null : placesText([region, null]),
  bezug: 'absolut',
  wert,
  traeger: traeger.join(),
  periode,
  von: firstDay(periode, range.first),
  bis: lastDay(periode, range.last),
});

/** The layout of carriers: in one chart on top of each other or side by side, or in a chart each. */
type Arrangement = 'stacked' | 'grouped' | 'charts';

function arrangementOf(isSideBySide: boolean, carriers: readonly Carrier[], range: Range): Arrangement {
  if (!isSideBySide || carriers.length < 2) return 'stacked';
  return carriers.length > MOST_SIDE_BY_SIDE || lengthOf(range) > MOST_GROUPS ? 'charts' : 'grouped';
}

/** @param view its carriers are those that the region has */
function Drawings({
  columns,
  view,
  arrangement,
  name,
}: {
  columns: readonly Column[];
  view: GrowthView;
  arrangement: Arrangement;
  name: string;
}) {
  const label = say(`Balken je Periode, ${spanText(view)}: ${name}`, `Bars by period, ${spanText(view)}: ${name}`);
  if (arrangement !== 'charts') {
    return (
      <GrowthChart view={view} columns={columns} sideBySide={arrangement === 'grouped'} height={400} label={label} />
    );
  }
  const filled = view.carriers.filter((id) => columns.some(({ parts }) => parts.some(({ carrier }) => carrier === id)));
  const absent = view.carriers.filter((id) => !filled.includes(id));
  return (
    <>
      <div class="multiples">
        {filled.map((id) => (
          <GrowthChart
            key={id}
            view={{ ...view, carriers: [id] }}
            columns={columns.map(({ period, parts }) => ({
              period,
              parts: parts.filter(({ carrier }) => carrier === id),
            }))}
            sideBySide={false}
            height={220}
            heading={carrierName(id)}
            label={`${carrierName(id)}: ${label}`}
          />
        ))}
      </div>
      {absent.length > 0 && (
        <p class="note">
          {say('Im Zeitraum ohne Werte: ', 'Without values in this time span: ')}
          {absent.map(carrierName).join(', ')}.
        </p>
      )}
    </>
  );
}

/** Carriers that the region has at all, in their order. */
function carriersIn(loaded: Loaded<TimeSeries>): readonly Carrier[] {
  const answer = loaded.state === 'ready' ? loaded.value : loaded.state === 'loading' ? loaded.previous : null;
  const found = new Set(answer?.data.map(({ energietraeger }) => energietraeger));
  return CARRIERS.filter((id) => found.has(id));
}

/** Shows what came and what is planned, as parts of the most. */
function stripHeights(columns: readonly Column[], { measure, series }: GrowthView): readonly number[] {
  const amounts = columns.map(({ parts }) => {
    const { zubau, pipeline } = measured(sumOf(parts), measure);
    return zubau + (series.includes('pipeline') ? pipeline : 0);
  });
  const most = Math.max(...amounts, Number.EPSILON);
  return amounts.map((amount) => amount / most);
}
