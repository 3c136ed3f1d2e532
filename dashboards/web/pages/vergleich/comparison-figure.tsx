import { CARRIERS, type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { PeriodChart } from '../../charts/period-chart.tsx';
import { extentOf, type PeriodForm } from '../../charts/period-series.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { toggled } from '../../frame/legend.tsx';
import { digitsOf, type Table } from '../../frame/table.ts';
import { TableView } from '../../frame/table-view.tsx';
import { BOUNDARIES_ATTRIBUTION } from '../../map/attribution.ts';
import { firstDay, lastDay } from '../../periods/periods.ts';
import { nameOfPeriod } from '../../periods/words.ts';
import { analysisQuery, placeText, type RegionOrCountry } from '../../regions/region.ts';
import type { SeriesPerPlace } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import { shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { ComparisonChoices } from './choices.tsx';
import { ownQuery, seriesRequest } from './filter-series.ts';
import { type ComparedPlace, type Comparison, columnsOf, idOf, panelsOf } from './panels.ts';
import { classEntries, PlacesMap } from './places-map.tsx';
import { isAdditive, type Window } from './series.ts';
import { BASIS_NAMES, comparedTitle, comparedUnit, openPeriod, shortUnit, writer } from './words.ts';

export type { ComparedPlace };

export interface ComparisonFigureProps {
  readonly loaded: Loaded<readonly ComparedPlace[]>;
  readonly choices: ComparisonChoices;
  /** Places that were clicked away. */
  readonly ohne: readonly RegionOrCountry[];
  readonly ohneFilter: readonly string[];
  /** Names of all places, also of those that are not there yet. */
  readonly names: readonly string[];
  readonly window: Window;
  /** Day of the data. */
  readonly asOf: string;
  readonly country: SeriesPerPlace | null;
  change(changes: Partial<ComparisonChoices & Hidden>): void;
}

/** What was clicked away. */
interface Hidden {
  readonly ohne: readonly RegionOrCountry[];
  readonly ohneFilter: readonly string[];
}

/** What was chosen, as a chart, a table or a map, with its frame. */
export function ComparisonFigure(props: ComparisonFigureProps) {
  const { loaded, choices, ohne, ohneFilter, names, window, asOf, country, change } = props;
  const { form, traeger } = choices;
  const hidden = [...ohne.map(placeText), ...ohneFilter];
  const all = shown(loaded) ?? [];
  const left = all.filter((one) => !hidden.includes(idOf(one)));
  // A link that hides all of them would show nothing.
  const places = left.length === 0 ? all : left;
  const isSplit = choices.einzeln && traeger.length > 1;
  const comparison: Comparison = { places, carriers: traeger, isSplit, measure: choices, window, country };
  const areCarriersKeyed = isSplit && (places.length === 1 || form === 'gestapelt');
  const isPlain = form === 'tabelle';
  const hasOwnScales = isSplit && !areCarriersKeyed && isChart(form);
  const remark = hasOwnScales
    ? say('; jede Achse hat ihre eigene Skala', '; each axis has its own scale')
    : form === 'karte'
      ? say(
          `; die Karte zeigt ${nameOfPeriod(window.kind, window.range.last)}`,
          `; the map shows ${nameOfPeriod(window.kind, window.range.last)}`,
        )
      : '';
  return (
    <Figure
      title={comparedTitle(choices, traeger, places.length > 0 ? places.map(({ name }) => name) : names, window)}
      unit={`${comparedUnit(choices, window)}${remark}`}
      loaded={loaded}
      requests={requestsOf(places, choices, window)}
      shows={say('den Vergleich der Orte', 'the comparison of the places')}
      height={440}
      plain={isPlain}
      table={() => tableOf(comparison)}
      empty={() => nothing(comparison, form, change)}
      note={notesOf(comparison, form, asOf).join(' ')}
      {...(form === 'karte' ? { attribution: BOUNDARIES_ATTRIBUTION } : {})}
      legend={
        form === 'karte'
          ? { entries: classEntries(comparison) }
          : areCarriersKeyed
            ? {
                entries: traeger.map((id) => ({ id, name: carrierName(id), color: carrierColor(id), on: true })),
                onToggle: (id) => change({ traeger: toggled(id as Carrier, traeger, CARRIERS) }),
              }
            : {
                entries: all.map((one) => ({
                  ...{ id: idOf(one), name: one.name, color: one.color },
                  on: places.includes(one),
                })),
                onToggle: (id) => change(hiddenAfter(id, all, places)),
              }
      }
    >
      {() =>
        isChart(form) ? (
          <Panels comparison={comparison} form={form} />
        ) : form === 'karte' ? (
          <PlacesMap comparison={comparison} />
        ) : (
          <TableView table={tableOf(comparison)} caption={say('Vergleich', 'Comparison')} />
        )
      }
    </Figure>
  );
}

/** What is hidden after a click on one in the legend. */
function hiddenAfter(id: string, all: readonly ComparedPlace[], places: readonly ComparedPlace[]): Hidden {
  const on = toggled(id, places.map(idOf), all.map(idOf));
  const off = all.filter((one) => !on.includes(idOf(one)));
  return {
    ohne: off.filter(({ filter }) => filter === undefined).map(({ region }) => region),
    ohneFilter: off.flatMap(({ filter }) => filter ?? []),
  };
}

const isChart = (form: ComparisonChoices['form']): form is PeriodForm => form !== 'tabelle' && form !== 'karte';

function Panels({ comparison, form }: { comparison: Comparison; form: PeriodForm }) {
  const { measure, window } = comparison;
  const panels = panelsOf(comparison, form);
  // Charts of places have one scale: they are there to be compared.
  const extents = panels.map(({ series }) => extentOf(series, form));
  const common = [Math.min(...extents.map(([least]) => least)), Math.max(...extents.map(([, most]) => most))] as const;
  const charts = panels.map(({ heading, hasOwnScale, series }) => (
    <PeriodChart
      key={heading ?? ''}
      form={form}
      kind={window.kind}
      range={window.range}
      series={series}
      unit={shortUnit(measure)}
      write={writer(measure)}
      isWhole={measure.wert === 'anzahl' && measure.bezug === 'absolut'}
      {...(hasOwnScale ? {} : { scale: common })}
      height={heading === null ? 440 : 260}
      {...(heading === null ? {} : { heading })}
      label={`${heading === null ? '' : `${heading}: `}${series.map(({ name }) => name).join(', ')}, ${shortUnit(measure)}`}
    />
  ));
  return panels.length === 1 ? charts : <div class="multiples">{charts}</div>;
}

/** A row for each period, a column for each place. */
function tableOf(comparison: Comparison): Table {
  const { measure, window } = comparison;
  const columns = columnsOf(comparison);
  const digits = digitsOf(columns.flatMap(({ values }) => values));
  return {
    columns: [
      { name: say('Periode', 'Period'), isPeriod: true },
      ...columns.map(({ name }) => ({ name, unit: shortUnit(measure), numeric: true, digits })),
    ],
    rows: Array.from({ length: window.range.last - window.range.first + 1 }, (_, at) => [
      nameOfPeriod(window.kind, window.range.first + at),
      ...columns.map(({ values }) => values[at] ?? null),
    ]),
  };
}

/** The requests that give what is shown, and no more; the country is asked for its share. */
function requestsOf(
  places: readonly ComparedPlace[],
  { reihe, bezug, traeger, periode, portfolio }: ComparisonChoices,
  { kind, range }: Window,
): readonly ApiRequest[] {
  const regions = places.filter(({ filter }) => filter === undefined).map(({ region }) => region);
  const asked = bezug === 'deutschland' && !regions.includes(null) ? [...regions, null] : regions;
  const span = {
    periode,
    von: reihe === 'bestand' ? null : firstDay(kind, range.first),
    bis: lastDay(kind, range.last),
  };
  return [
    ...asked.map((region) => ({
      path: '/v1/region/zeitreihe',
      query: {
        ...analysisQuery(region, portfolio),
        energietraeger: bezug === 'anteil' || traeger.length === CARRIERS.length ? [] : traeger,
        ...span,
      },
    })),
    // Carriers are a filter of their own there, so all come, and what is not wanted is left out here.
    ...places.flatMap(({ filter }) =>
      filter === undefined ? [] : [seriesRequest(filter, { ...span, ...ownQuery(portfolio) })],
    ),
  ];
}

/** Why there is nothing to be seen; null = there is something. */
function nothing(comparison: Comparison, form: ComparisonChoices['form'], change: ComparisonFigureProps['change']) {
  const { measure, carriers, isSplit } = comparison;
  const { bezug, wert } = measure;
  if (form === 'gestapelt' && !isAdditive(measure, isSplit)) {
    return (
      <>
        {say('Werte „', 'Values “')}
        {BASIS_NAMES[bezug]}
        {say(
          '“ ergeben keine Summe, die etwas bedeutet: Sie lassen sich nicht stapeln.',
          '” give no sum that means anything: they cannot be stacked.',
        )}{' '}
        <button type="button" onClick={() => change({ form: 'linien' })}>
          {say('Als Linien zeigen', 'Show as lines')}
        </button>
      </>
    );
  }
  if (wert === 'mwh' && !carriers.includes('storage')) {
    return (
      <>
        {say('Speicherkapazität haben nur Speicher.', 'Only storage has storage capacity.')}{' '}
        <button type="button" onClick={() => change({ traeger: ['storage'] })}>
          {say('Speicher zeigen', 'Show storage')}
        </button>
      </>
    );
  }
  const isAny = columnsOf(comparison).some(({ values }) => values.some((value) => value !== null && value !== 0));
  return isAny
    ? null
    : say(
        'In diesem Zeitraum ist von diesen Energieträgern an diesen Orten nichts bekannt.',
        'In this time span, nothing is known of these carriers at these places.',
      );
}

function notesOf(comparison: Comparison, form: ComparisonChoices['form'], asOf: string): readonly string[] {
  const { places, measure, window, isSplit } = comparison;
  const { reihe, bezug } = measure;
  const isPerPlace = bezug === 'kopf' || bezug === 'flaeche';
  const list = places.find(({ answer }) => answer.meta.bezug !== null)?.answer.meta.bezug ?? null;
  const unlisted = isPerPlace
    ? columnsOf(comparison).filter(({ values }) => values.every((value) => value === null))
    : [];
  const unknown = columnsOf(comparison).filter(({ values }) => bezug === 'index' && values[0] === null);
  const isOverlapping = new Set(places.map(({ region, filter }) => filter ?? region?.level ?? null)).size > 1;
  return [
    reihe === 'pipeline'
      ? say('Pläne ohne Datum fehlen.', 'Plans without a date are missing.')
      : openPeriod(window, asOf),
    reihe === 'bestand'
      ? say(
          'Bestand: was in Betrieb ging, ohne das, was stillgelegt wurde; Einheiten ohne Datum fehlen.',
          'Stock: what went into operation, without what was shut down; units without a date are missing.',
        )
      : null,
    isPerPlace && list !== null
      ? say(
          `Einwohner am ${day(list.einwohnerAm)}, für alle Jahre, Gebiete vom ${day(list.gebietsstand)}: Statistisches Bundesamt, Gemeindeverzeichnis.`,
          `Inhabitants on ${day(list.einwohnerAm)}, for all years, areas of ${day(list.gebietsstand)}: Statistisches Bundesamt, Gemeindeverzeichnis.`,
        )
      : null,
    unlisted.length > 0
      ? say(
          `Ohne Einwohner und Fläche, die zu den Einheiten gehören, daher ohne Wert: ${unlisted.map(({ name }) => name).join('; ')}.`,
          `Without the inhabitants and area that belong to the units, therefore without a value: ${unlisted.map(({ name }) => name).join('; ')}.`,
        )
      : null,
    unknown.length > 0
      ? say(
          `Ohne Index, weil der Wert am Beginn nicht über 0 liegt: ${unknown.map(({ name }) => name).join('; ')}.`,
          `Without an index, as the value at the beginning is not above 0: ${unknown.map(({ name }) => name).join('; ')}.`,
        )
      : null,
    form === 'gestapelt' && !isSplit && isOverlapping
      ? say(
          'Was in mehreren dieser Orte liegt, zählt in der Summe mehrmals.',
          'What lies in several of these places counts more than once in the sum.',
        )
      : null,
  ].filter((note) => note !== null);
}
