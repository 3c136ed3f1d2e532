import { aggregate } from '../aggregations/aggregate.ts';
import { listDatasets } from '../datasets/list.ts';
import type { Call } from '../operation/operation.ts';
import { listReferenceValues } from '../reference/values.ts';
import { altersstruktur } from '../regions/altersstruktur.ts';
import { zeitreihe } from '../regions/zeitreihe.ts';
import { listTenders } from '../tenders/list.ts';
import { listUnits } from '../units/list.ts';
import { ask, type Query } from './ask.ts';
import { MAP_FILTERS, mapOf } from './map-requests.ts';
import { placesIn, readPlace, type View } from './views.ts';

/** The figures of a view that stand in its picture: one list of amounts each, asked as the page asks. */

export interface Picture {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly label: string;
  /** null = not known. */
  readonly value: number | null;
}

/** Bars of a picture; more could not be read. */
const MOST = 12;

/** @throws Problem as the operations do */
export async function pictureOf(view: View, call: Call): Promise<Picture> {
  const choices = new URLSearchParams(view.query);
  const [level = '', ...rest] = (choices.get('region') ?? '').split(':');
  const value = rest.join(':');
  const filter: Query = level === '' ? {} : { [level]: value };
  const analysis: Query = level === '' ? {} : { ebene: level, region: value };
  const place = await nameOf(level, value, call);
  const carriers = choices.get('traeger')?.split(',') ?? null;
  const isShown = (carrier: string | null): boolean => carriers === null || carriers.includes(carrier ?? '');

  switch (view.page) {
    case 'zeitreihe': {
      const rows = await ask(zeitreihe, { ...analysis, periode: 'jahr' }, call);
      const years = new Map<string, number>();
      for (const { periode, energietraeger, zubauMw } of rows as readonly SeriesRow[]) {
        if (isShown(energietraeger)) years.set(periode, (years.get(periode) ?? 0) + zubauMw);
      }
      const past = [...years].filter(([year]) => year <= call.today.slice(0, 4)).sort(([a], [b]) => (a < b ? -1 : 1));
      const bars = past.slice(-MOST).map(([label, mw]) => ({ label, value: mw }));
      return { title: `Zubau nach Jahren: ${place}`, unit: 'MW brutto', bars };
    }
    case 'vergleich': {
      const carriersShown = choices.get('traeger') ?? 'solar';
      const query = { betriebsStatus: 'In Betrieb', groupBy: 'einheitTyp', einheitTyp: carriersShown };
      const bars: Bar[] = [];
      for (const one of placesIn(choices.get('orte') ?? '')) {
        if (one !== null && 'fault' in one) continue;
        const { totals } = (await ask(
          aggregate,
          { ...query, ...(one === null ? {} : { [one.level]: one.value }) },
          call,
        )) as {
          readonly totals: { readonly bruttoleistungKw: number };
        };
        const label = one === null ? 'Deutschland' : await nameOf(one.level, one.value, call);
        bars.push({ label, value: totals.bruttoleistungKw / 1000 });
      }
      const names = carriersShown.split(',').map((carrier) => CARRIERS[carrier] ?? carrier);
      return { title: `Leistung in Betrieb im Vergleich: ${names.join(', ')}`, unit: 'MW brutto', bars };
    }
    case 'altersstruktur': {
      const rows = (await ask(altersstruktur, analysis, call)) as readonly CohortRow[];
      const cohorts = Map.groupBy(
        rows.filter(({ energietraeger }) => isShown(energietraeger)),
        ({ kohorte }) => kohorte,
      );
      const bars = [...cohorts].map(([name, parts]) => ({
        label: `${name} Jahre`,
        value: parts.reduce((sum, { mw }) => sum + mw, 0),
      }));
      return { title: `Alter der Anlagen in Betrieb: ${place}`, unit: 'MW brutto', bars };
    }
    case 'karte': {
      const named = level === '' ? null : readPlace(`${level}:${value}`);
      const map = mapOf(named !== null && 'fault' in named ? null : named, choices.get('ebene') ?? 'landkreis');
      const within = map.place === null ? {} : { [map.place.level]: map.place.value };
      const only: Query = carriers === null ? {} : { einheitTyp: carriers.join(',') };
      const filters = Object.fromEntries([...choices].filter(([name]) => MAP_FILTERS.includes(name)));
      const query = { betriebsStatus: 'In Betrieb', ...filters, ...within, ...only, groupBy: map.groupBy };
      const where = map.place === null ? place : await nameOf(map.place.level, map.place.value, call);
      const status = filters.betriebsStatus === undefined ? ' in Betrieb' : '';
      const filtered = Object.keys(filters).length === 0 ? '' : ', gefiltert';
      return {
        title: `Größte Leistung${status}: ${where}${filtered}`,
        unit: 'MW brutto',
        bars: await groupsOf(query, call),
      };
    }
    case 'einheiten': {
      const filters = Object.fromEntries([...choices].filter(([name]) => name !== 'fields'));
      const query = { ...filters, fields: 'name,bruttoleistungKw', limit: String(MOST) };
      const units = (await ask(listUnits, query, call)) as readonly UnitRow[];
      const bars = units.map(({ mastrNummer, name, bruttoleistungKw }) => ({
        label: name ?? mastrNummer,
        value: bruttoleistungKw,
      }));
      return { title: 'Einheiten: Anfang der Liste', unit: 'kW brutto', bars };
    }
    case 'ausschreibungen': {
      const technologie = choices.get('technologie') ?? 'WIND';
      const rounds = (await ask(listTenders, { technologie, status: 'IMPORTED' }, call)) as readonly Round[];
      const bars = rounds.slice(0, MOST).map(({ datum, volumenBezuschlagtKw: kw }) => ({
        label: datum.split('-').reverse().join('.'),
        value: kw === null ? null : kw / 1000,
      }));
      return { title: 'Ausschreibungen: bezuschlagte Menge je Gebotstermin', unit: 'MW', bars };
    }
    default: {
      const query = { ...filter, betriebsStatus: 'In Betrieb', groupBy: 'einheitTyp' };
      return {
        title: `Leistung in Betrieb: ${place}`,
        unit: 'MW brutto',
        bars: await groupsOf(query, call),
      };
    }
  }
}

/** Lines that cite the data of a view, as its licence asks. */
export async function sourcesOf({ page }: View, call: Call): Promise<readonly string[]> {
  const sets = (await ask(listDatasets, {}, call)) as readonly { name: string; quellenvermerk: string | null }[];
  const name = page === 'ausschreibungen' ? 'ausschreibungen' : 'mastr_einheiten';
  const text = sets.find((set) => set.name === name)?.quellenvermerk ?? '';
  return text.match(/.{1,95}(?:\s|$)/g) ?? [];
}

interface SeriesRow {
  readonly periode: string;
  readonly energietraeger: string;
  readonly zubauMw: number;
}

interface CohortRow {
  readonly kohorte: string;
  readonly energietraeger: string;
  readonly mw: number;
}

interface UnitRow {
  readonly mastrNummer: string;
  readonly name: string | null;
  readonly bruttoleistungKw: number | null;
}

interface Round {
  readonly datum: string;
  readonly volumenBezuschlagtKw: number | null;
}

interface Group {
  readonly key: string | null;
  readonly name?: string | null;
  readonly bundesland?: string | null;
  readonly bruttoleistungKw: number;
}

const CARRIERS: Readonly<Record<string, string>> = {
  ...{ solar: 'Solar', wind: 'Wind', storage: 'Speicher', biomass: 'Biomasse', hydro: 'Wasser' },
  ...{ combustion: 'Verbrennung', geothermal: 'Geo-/Solarthermie', nuclear: 'Kernkraft' },
};

/** The largest groups; units without a place are in none. */
async function groupsOf(query: Query, call: Call): Promise<readonly Bar[]> {
  const { groups } = (await ask(aggregate, query, call)) as { readonly groups: readonly Group[] };
  return groups
    .filter(({ key }) => key !== null)
    .toSorted((one, other) => other.bruttoleistungKw - one.bruttoleistungKw)
    .slice(0, MOST)
    .map(({ key, name, bundesland, bruttoleistungKw }) => ({
      label: name ?? CARRIERS[key ?? ''] ?? [key, bundesland].filter((part) => part != null).join(', '),
      value: bruttoleistungKw / 1000,
    }));
}

/** The name of the place that a view is about; its key where it has none. */
async function nameOf(level: string, value: string, call: Call): Promise<string> {
  if (level === '') return 'Deutschland';
  if (level === 'plz') return `PLZ ${value}`;
  if (!/^\d+$/.test(value)) return value;
  const found = await ask(listReferenceValues, { q: value, limit: '5' }, call, { set: level });
  const places = found as readonly { readonly schluessel?: string | null; readonly name?: string | null }[];
  return places.find(({ schluessel }) => schluessel === value)?.name ?? value;
}
