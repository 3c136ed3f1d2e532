import * as Plot from '@observablehq/plot';
import { CARRIERS, carrierColor, carrierName, carrierRank } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { count, decimal, power, unitCount } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { Figure } from '../../frame/figure.tsx';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { PortfolioUnit } from './use-portfolio.ts';

type Units = ReadonlyMap<string, PortfolioUnit>;

export const OWN_SELECTION = 'Auswahl: eigenes Portfolio';

interface Part {
  readonly name: string;
  readonly color: string;
  readonly units: number;
  /** Sum over the units; the interface has no figure for a portfolio. */
  readonly mw: number;
}

function partsOf(
  units: Units,
  keyOf: (unit: PortfolioUnit) => string,
  nameOf: (key: string) => string,
  colorOf: (key: string) => string,
): readonly Part[] {
  const groups = Map.groupBy(units.values(), keyOf);
  return [...groups].map(([key, members]) => ({
    name: nameOf(key),
    color: colorOf(key),
    units: members.length,
    mw: sumKw(members) / 1000,
  }));
}

const sumKw = (units: readonly PortfolioUnit[]): number =>
  units.reduce((sum, { bruttoleistungKw }) => sum + (bruttoleistungKw ?? 0), 0);

/** The order of a unit's life. */
const STATUSES = ['In Planung', 'In Betrieb', 'Vorübergehend stillgelegt', 'Endgültig stillgelegt'];

const statusColor = (status: string): string => (status === 'In Betrieb' ? 'var(--accent)' : 'var(--tender-bid)');

/** @param entries number of entries that are in the portfolio */
export function PortfolioFacts({ loaded, entries }: { loaded: Loaded<Units>; entries: number }) {
  const units = shown(loaded);
  if (units === null) return null;
  const all = [...units.values()];
  const running = all.filter(({ betriebsStatus }) => betriebsStatus === 'In Betrieb');
  const planned = all.filter(({ betriebsStatus }) => betriebsStatus === 'In Planung');
  const missing = entries - units.size;
  return (
    <Facts
      facts={[
        {
          name: 'Einheiten',
          value: count(entries),
          more: missing > 0 ? `${count(missing)} nicht mehr im Register` : 'alle im Register',
        },
        { name: 'Bruttoleistung', value: power(sumKw(all)) },
        { name: 'In Betrieb', value: power(sumKw(running)), more: unitCount(running.length) },
        { name: 'In Planung', value: power(sumKw(planned)), more: unitCount(planned.length) },
      ]}
    />
  );
}

export function CarriersFigure({ loaded, requests }: { loaded: Loaded<Units>; requests: readonly ApiRequest[] }) {
  const parts = (units: Units) =>
    partsOf(units, ({ einheitTyp }) => einheitTyp, carrierName, carrierColor).toSorted(
      (one, other) => rankOf(one) - rankOf(other),
    );
  return (
    <PartsFigure
      title="Portfolio nach Energieträger"
      loaded={loaded}
      requests={requests}
      parts={parts}
      head="Energieträger"
    />
  );
}

const rankOf = ({ name }: Part): number =>
  carrierRank(CARRIERS.find((carrier) => carrierName(carrier) === name) ?? name);

export function StatusFigure({ loaded, requests }: { loaded: Loaded<Units>; requests: readonly ApiRequest[] }) {
  const parts = (units: Units) =>
    partsOf(units, ({ betriebsStatus }) => betriebsStatus ?? 'Nicht bekannt', String, statusColor).toSorted(
      (one, other) => STATUSES.indexOf(one.name) - STATUSES.indexOf(other.name),
    );
  return (
    <PartsFigure
      title="Portfolio nach Betriebsstatus"
      loaded={loaded}
      requests={requests}
      parts={parts}
      head="Betriebsstatus"
    />
  );
}

function PartsFigure({
  title,
  loaded,
  requests,
  parts,
  head,
}: {
  title: string;
  loaded: Loaded<Units>;
  requests: readonly ApiRequest[];
  parts: (units: Units) => readonly Part[];
  head: string;
}) {
  return (
    <Figure
      title={title}
      unit="MW brutto; dahinter die Zahl der Einheiten"
      loaded={loaded}
      requests={requests}
      shows="die Leistung der Anlagen"
      attribution={OWN_SELECTION}
      table={(units) => ({
        columns: [
          { name: head },
          { name: 'Einheiten', numeric: true, digits: 0 },
          { name: 'Leistung', unit: 'MW', numeric: true, digits: 3 },
        ],
        rows: parts(units).map(({ name, units: number, mw }) => [name, number, mw]),
      })}
      empty={(units) => (units.size === 0 ? 'Keine Einheit des Portfolios ist im Register.' : null)}
      height={180}
    >
      {(units) => <Chart label={`Balken: ${title}`} options={(width) => options(parts(units), width)} />}
    </Figure>
  );
}

const options = (parts: readonly Part[], width: number): Plot.PlotOptions => ({
  height: 34 * parts.length + 20,
  marginLeft: width < 500 ? 96 : 150,
  marginRight: 130,
  marginTop: 4,
  marginBottom: 4,
  x: { axis: null },
  y: {
    label: null,
    tickSize: 0,
    domain: parts.map(({ name }) => name),
    tickFormat: (name: string) =>
      width < 500 ? name.replace('stillgelegt', 'stillg.').replace('übergehend', 'üb.') : name,
  },
  marks: [
    Plot.barX(parts, { x: 'mw', y: 'name', fill: 'color', insetTop: 2, insetBottom: 2 }),
    Plot.text(parts, {
      x: 'mw',
      y: 'name',
      text: ({ mw, units }: Part) => `${decimal(mw, mw < 10 ? 2 : 1)}\u202fMW · ${count(units)}`,
      textAnchor: 'start',
      dx: 6,
    }),
    Plot.ruleX([0]),
  ],
});
