import * as Plot from '@observablehq/plot';
import { CARRIERS, carrierColor, carrierName, carrierRank } from '../../charts/carriers.ts';
import { Chart } from '../../charts/chart.tsx';
import { say } from '../../format/language.ts';
import { count, decimal, power, unitCount } from '../../format/numbers.ts';
import { registerWord } from '../../format/register-words.ts';
import { Facts } from '../../frame/facts.tsx';
import { Figure } from '../../frame/figure.tsx';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { PortfolioUnit } from './use-portfolio.ts';

type Units = ReadonlyMap<string, PortfolioUnit>;

export const OWN_SELECTION = say('Auswahl: eigenes Portfolio', 'Selection: own portfolio');

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

const STATUS_NAMES = STATUSES.map(registerWord);

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
          name: say('Einheiten', 'Units'),
          value: count(entries),
          more:
            missing > 0
              ? say(`${count(missing)} nicht mehr im Register`, `${count(missing)} no longer in the register`)
              : say('alle im Register', 'all in the register'),
        },
        { name: say('Bruttoleistung', 'Gross power'), value: power(sumKw(all)) },
        { name: say('In Betrieb', 'In operation'), value: power(sumKw(running)), more: unitCount(running.length) },
        { name: say('In Planung', 'Planned'), value: power(sumKw(planned)), more: unitCount(planned.length) },
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
      title={say('Portfolio nach Energieträger', 'Portfolio by carrier')}
      loaded={loaded}
      requests={requests}
      parts={parts}
      head={say('Energieträger', 'Carrier')}
    />
  );
}

const rankOf = ({ name }: Part): number =>
  carrierRank(CARRIERS.find((carrier) => carrierName(carrier) === name) ?? name);

export function StatusFigure({ loaded, requests }: { loaded: Loaded<Units>; requests: readonly ApiRequest[] }) {
  const parts = (units: Units) =>
    partsOf(
      units,
      ({ betriebsStatus }) => betriebsStatus ?? say('Nicht bekannt', 'Not known'),
      registerWord,
      statusColor,
    ).toSorted((one, other) => STATUS_NAMES.indexOf(one.name) - STATUS_NAMES.indexOf(other.name));
  return (
    <PartsFigure
      title={say('Portfolio nach Betriebsstatus', 'Portfolio by operating status')}
      loaded={loaded}
      requests={requests}
      parts={parts}
      head={say('Betriebsstatus', 'Operating status')}
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
      unit={say('MW brutto; dahinter die Zahl der Einheiten', 'MW gross; behind it the number of units')}
      loaded={loaded}
      requests={requests}
      shows={say('die Leistung der Anlagen', 'the power of the units')}
      attribution={OWN_SELECTION}
      table={(units) => ({
        columns: [
          { name: head },
          { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
          { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 },
        ],
        rows: parts(units).map(({ name, units: number, mw }) => [name, number, mw]),
      })}
      empty={(units) =>
        units.size === 0
          ? say('Keine Einheit des Portfolios ist im Register.', 'No unit of the portfolio is in the register.')
          : null
      }
      height={180}
    >
      {(units) => (
        <Chart label={say(`Balken: ${title}`, `Bars: ${title}`)} options={(width) => options(parts(units), width)} />
      )}
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
