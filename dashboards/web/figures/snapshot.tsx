import type { ComponentChildren } from 'preact';
import { useNavigation } from '../address/address.ts';
import { carrierColor, carrierRank } from '../charts/carriers.ts';
import { Sharebar, Sparkbars } from '../charts/sparkbars.tsx';
import { day } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { count, plural, power, share, unitCount } from '../format/numbers.ts';
import { Figure } from '../frame/figure.tsx';
import type { Table } from '../frame/table.ts';
import type { Place } from '../regions/place.ts';
import { placeChoices } from '../regions/region.ts';
import type { Aggregation, Snapshot, SnapshotAnswer, TimeSeries, TimeSeriesRow } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { changeSign, changeText, megawattsIn, megawattsOf, type Series } from './change.ts';
import { monthsOf, type Span, sumOf } from './months.ts';
import { seriesRequest, snapshotBefore, snapshotRequest, statusFilters, stockRequest } from './requests.ts';

/** The key figures of a place as cards, each with its change and the way to its page. */
export function SnapshotCards({ place, span }: { place: Place; span: Span | null }) {
  const { region, name, own = false } = place;
  const { at } = useNavigation();
  const requests = [
    ...(span === null
      ? []
      : [snapshotRequest(region, span, own), snapshotBefore(region, span, own), seriesRequest(region, span, own)]),
    stockRequest(region, own),
  ];
  const loaded = useAnswer<SnapshotAnswer>(span === null ? null : snapshotRequest(region, span, own));
  const before = shown(useAnswer<SnapshotAnswer>(span === null ? null : snapshotBefore(region, span, own)));
  const stock = shown(useAnswer<Aggregation>(stockRequest(region, own)));
  const series = shown(useAnswer<TimeSeries>(span === null ? null : seriesRequest(region, span, own)))?.data ?? null;
  const chosen = placeChoices(region, own);
  const months = (kind: Series): ComponentChildren =>
    series === null || span === null ? null : <Months rows={series} span={span} series={kind} />;
  return (
    <div class="snapshot">
      <Figure
        title={say(`Kennzahlen: ${name}`, `Key figures: ${name}`)}
        unit={windowText(shown(loaded))}
        loaded={loaded}
        requests={requests}
        shows={say('die Kennzahlen der Region', 'the key figures of the region')}
        table={(answer) => tableOf(answer, stock, before)}
        empty={() => null}
        height={220}
        note={
          before !== null &&
          say(
            `▲▼ gegenüber ${daysText(before)}. Die letzten ein bis zwei Monate wachsen durch Nachmeldungen noch.`,
            `▲▼ against ${daysText(before)}. The last one or two months still grow by late registrations.`,
          )
        }
        plain
      >
        {({ data }) => (
          <ul class="cards">
            {stock !== null && (
              <Card
                name={say('In Betrieb', 'In operation')}
                href={at('einheiten', statusFilters(region, 'In Betrieb', own))}
                value={power(stock.data.totals.bruttoleistungKw)}
                detail={unitCount(stock.data.totals.count)}
                change={series !== null && span !== null && <YearLine rows={series} span={span} />}
              >
                <Sharebar
                  parts={stock.data.groups
                    .toSorted((a, b) => carrierRank(a.key ?? '') - carrierRank(b.key ?? ''))
                    .map(({ key, bruttoleistungKw }) => ({ value: bruttoleistungKw, color: carrierColor(key ?? '') }))}
                />
              </Card>
            )}
            <Card
              name={say('Zubau', 'Added')}
              href={at('zeitreihe', chosen)}
              value={power(data.zubau90Tage.mw * 1000)}
              detail={unitCount(data.zubau90Tage.anzahl)}
              change={<ChangeLine now={data} before={before} series="zubau" />}
            >
              {months('zubau')}
            </Card>
            <Card
              name={say('Abbau', 'Removed')}
              href={at('zeitreihe', chosen)}
              value={power(data.abbau90Tage.mw * 1000)}
              detail={unitCount(data.abbau90Tage.anzahl)}
              change={<ChangeLine now={data} before={before} series="abbau" />}
            >
              {months('abbau')}
            </Card>
            <Card
              name={say('Netto', 'Net')}
              href={at('zeitreihe', { ...chosen, kumuliert: 'ja' })}
              value={`${data.netto90TageMw > 0 ? '+' : ''}${power(data.netto90TageMw * 1000)}`}
              detail={say('Zubau minus Abbau', 'Added minus removed')}
              change={<ChangeLine now={data} before={before} series="netto" />}
            >
              {months('netto')}
            </Card>
            <Card
              name="Pipeline"
              href={at('einheiten', statusFilters(region, 'In Planung', own))}
              value={power(data.pipeline.mw * 1000)}
              detail={unitCount(data.pipeline.anzahl)}
              change={
                data.pipeline.mitDatumAnteil !== null &&
                say(
                  `${share(data.pipeline.mitDatumAnteil)} mit geplantem Datum`,
                  `${share(data.pipeline.mitDatumAnteil)} with a planned date`,
                )
              }
            >
              <Part value={data.pipeline.mitDatumAnteil} />
            </Card>
            <Card
              name={say('Wind über 20 Jahre', 'Wind over 20 years')}
              href={at('altersstruktur', { ...chosen, traeger: 'wind' })}
              value={share(data.windUeber20Jahre.anteil)}
              detail={
                data.windUeber20Jahre.gesamt === 0
                  ? say('keine in Betrieb', 'none in operation')
                  : say(
                      `${count(data.windUeber20Jahre.anzahl)} von ${plural(data.windUeber20Jahre.gesamt, 'Anlage', 'Anlagen')}`,
                      `${count(data.windUeber20Jahre.anzahl)} of ${unitCount(data.windUeber20Jahre.gesamt)}`,
                    )
              }
            >
              <Part value={data.windUeber20Jahre.anteil} />
            </Card>
          </ul>
        )}
      </Figure>
    </div>
  );
}

function Card({
  name,
  href,
  value,
  detail,
  change,
  children,
}: {
  name: string;
  href: string;
  value: string;
  detail: string;
  change?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <li>
      <a class="card" href={href}>
        <span class="name">{name}</span>
        <b>{value}</b>
        <span>{detail}</span>
        <span class="mini">{children}</span>
        <small>{change}</small>
      </a>
    </li>
  );
}

/** A share of 1 as a bar; nothing where there is nothing to share. */
function Part({ value }: { value: number | null }) {
  if (value === null) return null;
  const parts = [
    { value, color: 'var(--accent)' },
    { value: 1 - value, color: 'var(--grid)' },
  ];
  return <Sharebar parts={parts} />;
}

function ChangeLine({ now, before, series }: { now: Snapshot; before: SnapshotAnswer | null; series: Series }) {
  if (before === null) return null;
  const change = { nowMw: megawattsOf(now, series), beforeMw: megawattsOf(before.data, series) };
  if (change.nowMw === change.beforeMw)
    return <>{say('unverändert zum Vorjahr', 'unchanged against the year before')}</>;
  const sign = changeSign(change);
  return (
    <>
      <span role="img" aria-label={sign === '▲' ? say('mehr:', 'more:') : say('weniger:', 'less:')}>
        {sign}
      </span>{' '}
      {changeText(change)}
      {say(' zum Vorjahr', ' against the year before')}
    </>
  );
}

/** Shows what came and went in the last twelve months that are over. */
function YearLine({ rows, span }: { rows: readonly TimeSeriesRow[]; span: Span }) {
  const months = monthsOf(span).slice(-12);
  const net = sumOf(rows, months, 'zubauMw') - sumOf(rows, months, 'abbauMw');
  return (
    <>
      {net > 0 ? '+' : ''}
      {power(net * 1000)}
      {say(' in 12 Monaten', ' in 12 months')}
    </>
  );
}

/** Two years by month; the last one stands out. */
function Months({ rows, series, span }: { rows: readonly TimeSeriesRow[]; series: Series; span: Span }) {
  const bars = monthsOf(span).map((month, at, { length }) => ({
    value: megawattsIn(rows, month, series),
    color: at < length - 12 ? 'var(--line)' : 'var(--accent)',
  }));
  return <Sparkbars bars={bars} />;
}

/** „25.05.2026 bis 22.08.2026“ */
const daysText = ({ meta: { fenster } }: SnapshotAnswer): string =>
  say(`${day(fenster.von)} bis ${day(fenster.bis)}`, `${day(fenster.von)} to ${day(fenster.bis)}`);

const windowText = (answer: SnapshotAnswer | null): string => {
  if (answer === null)
    return say(
      'Leistung brutto; Zubau und Abbau der letzten 90 Tage',
      'Gross power; additions and removals of the last 90 days',
    );
  const { tage } = answer.meta.fenster;
  return say(
    `Leistung brutto; Zubau, Abbau und Netto in ${tage} Tagen, ${daysText(answer)}`,
    `Gross power; added, removed and net in ${tage} days, ${daysText(answer)}`,
  );
};

function tableOf(answer: SnapshotAnswer, stock: Aggregation | null, before: SnapshotAnswer | null): Table {
  const earlier = (kind: Series): number | null => (before === null ? null : megawattsOf(before.data, kind));
  const window = daysText(answer);
  const { zubau90Tage, abbau90Tage, netto90TageMw, pipeline, windUeber20Jahre } = answer.data;
  return {
    columns: [
      { name: say('Kennzahl', 'Figure') },
      { name: say('Zeitraum', 'Period') },
      { name: say('Leistung', 'Power'), unit: 'MW', numeric: true },
      { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
      { name: say('Anteil', 'Share'), numeric: true, digits: 3 },
      { name: before === null ? say('Vorjahr', 'Year before') : daysText(before), unit: 'MW', numeric: true },
    ],
    rows: [
      ...(stock === null
        ? []
        : [
            [
              say('In Betrieb', 'In operation'),
              null,
              stock.data.totals.bruttoleistungKw / 1000,
              stock.data.totals.count,
              null,
              null,
            ],
          ]),
      [say('Zubau', 'Added'), window, zubau90Tage.mw, zubau90Tage.anzahl, null, earlier('zubau')],
      [say('Abbau', 'Removed'), window, abbau90Tage.mw, abbau90Tage.anzahl, null, earlier('abbau')],
      [say('Netto', 'Net'), window, netto90TageMw, null, null, earlier('netto')],
      ['Pipeline', null, pipeline.mw, pipeline.anzahl, null, null],
      [
        say('Pipeline mit geplantem Datum', 'Pipeline with a planned date'),
        null,
        null,
        pipeline.mitDatumAnzahl,
        pipeline.mitDatumAnteil,
        null,
      ],
      [
        say('Wind über 20 Jahre', 'Wind over 20 years'),
        null,
        null,
        windUeber20Jahre.anzahl,
        windUeber20Jahre.anteil,
        null,
      ],
    ],
  };
}
