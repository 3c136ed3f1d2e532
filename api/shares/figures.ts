import { aggregate } from '../aggregations/aggregate.ts';
import { listDatasets } from '../datasets/list.ts';
import type { Call } from '../operation/operation.ts';
import { altersstruktur } from '../regions/altersstruktur.ts';
import { listTenders } from '../tenders/list.ts';
import { listUnits } from '../units/list.ts';
import { ask, type Query } from './ask.ts';
import { choiceFault } from './choices.ts';
import { mapFigures } from './map-figures.ts';
import { type Bar, MOST_BARS, type Picture } from './picture.ts';
import { nameOf } from './places.ts';
import { comparison, growth } from './series-figures.ts';
import { admittedBy, readPlace, type View } from './views.ts';
import { carrierName, carrierNames, dayIn, type Say, sayIn } from './words.ts';

/** The figures of a view that stand in its picture: its own measure, asked as the page asks, or words where it has none. */

/** @throws Problem as the operations do */
export async function pictureOf(view: View, call: Call): Promise<Picture> {
  const say = sayIn(call.language);
  // Links of earlier releases were not looked at as closely.
  const isGood = !('fault' in admittedBy(view)) && choiceFault(view) === null;
  return (isGood ? await figuresOf(view, call, say) : null) ?? inWords(view, say);
}

const PAGES: Readonly<Record<string, readonly [string, string]>> = {
  vergleich: ['Vergleich', 'Comparison'],
  karte: ['Karte', 'Map'],
};

const inWords = ({ page }: View, say: Say): Picture => ({
  title: say(...(PAGES[page] ?? ['Ansicht', 'View'])),
  unit: say('Energieanlagen in Deutschland', 'Energy units in Germany'),
  words: say(
    'Die Werte dieser Ansicht stehen auf der Seite, zu der der Link führt; als Zeichnung gibt es sie nicht.',
    'The values of this view are on the page to which the link leads; there is no drawing of them.',
  ),
});

/** @returns null where the values of a view are too many or too far apart for one picture */
async function figuresOf(view: View, call: Call, say: Say): Promise<Picture | null> {
  const choices = new URLSearchParams(view.query);
  const text = choices.get('region');
  const read = text === null ? null : readPlace(text);
  const place = read !== null && 'fault' in read ? null : read;
  const filter: Query = place === null ? {} : { [place.level]: place.value };
  const analysis: Query = place === null ? {} : { ebene: place.level, region: place.value };
  const carriers = choices.get('traeger')?.split(',') ?? null;
  const isShown = (carrier: string | null): boolean => carriers === null || carriers.includes(carrier ?? '');
  const gross = say('MW brutto', 'MW gross');

  switch (view.page) {
    case 'zeitreihe':
      return growth(choices, place, await dayOfRegister(call), call, say);
    case 'vergleich':
      return comparison(choices, await dayOfRegister(call), call, say);
    case 'karte':
      return mapFigures(choices, place, await dayOfRegister(call), call, say);
    case 'altersstruktur': {
      const rows = (await ask(altersstruktur, analysis, call)) as readonly CohortRow[];
      const isNumber = choices.get('wert') === 'anzahl';
      const cohorts = Map.groupBy(
        rows.filter(({ energietraeger }) => isShown(energietraeger)),
        ({ kohorte }) => kohorte,
      );
      const bars = [...cohorts].map(([name, parts]) => ({
        label: say(`${name} Jahre`, `${name} years`),
        value: parts.reduce((sum, { mw, anzahl }) => sum + (isNumber ? anzahl : mw), 0),
      }));
      const title = say('Alter der Anlagen in Betrieb', 'Age of the units in operation');
      const unit = `${isNumber ? say('Einheiten', 'units') : gross}; ${carrierNames(carriers, say)}`;
      return { title: `${title}: ${await nameOf(place, call, say)}`, unit, bars };
    }
    case 'einheiten': {
      const filters = Object.fromEntries([...choices].filter(([name]) => name !== 'fields'));
      const query = { ...filters, fields: 'name,bruttoleistungKw', limit: String(MOST_BARS) };
      const units = (await ask(listUnits, query, call)) as readonly UnitRow[];
      const bars = units.map(({ mastrNummer, name, bruttoleistungKw }) => ({
        label: name ?? mastrNummer,
        value: bruttoleistungKw,
      }));
      const title = say('Einheiten: Anfang der Liste', 'Units: beginning of the list');
      return { title, unit: say('kW brutto', 'kW gross'), bars };
    }
    case 'ausschreibungen': {
      const technologie = choices.get('technologie') ?? 'WIND';
      const rounds = (await ask(listTenders, { technologie, status: 'IMPORTED' }, call)) as readonly Round[];
      const bars = rounds.slice(0, MOST_BARS).map(({ datum, volumenBezuschlagtKw: kw }) => ({
        label: dayIn(datum, call.language),
        value: kw === null ? null : kw / 1000,
      }));
      const title = say('Ausschreibungen: bezuschlagte Menge je Gebotstermin', 'Tenders: awarded volume by round');
      return { title, unit: 'MW', bars };
    }
    default: {
      const query = { ...filter, betriebsStatus: 'In Betrieb', groupBy: 'einheitTyp' };
      const { groups } = (await ask(aggregate, query, call)) as { readonly groups: readonly Group[] };
      const bars = groups
        .filter(({ key }) => isShown(key))
        .toSorted((one, other) => other.bruttoleistungKw - one.bruttoleistungKw)
        .map(
          ({ key, bruttoleistungKw }): Bar => ({ label: carrierName(key ?? '', say), value: bruttoleistungKw / 1000 }),
        );
      return {
        title: `${say('Leistung in Betrieb', 'Power in operation')}: ${await nameOf(place, call, say)}`,
        unit: gross,
        bars,
      };
    }
  }
}

interface Dataset {
  readonly name: string;
  readonly asOf: string;
  readonly erfunden: boolean;
  readonly quellenvermerk: string | null;
  readonly lizenzen: readonly { readonly url: string; readonly bereitsteller: string; readonly giltFuer: string }[];
}

const datasets = async (call: Call) => (await ask(listDatasets, {}, call)) as readonly Dataset[];

const dayOfRegister = async (call: Call): Promise<string> =>
  (await datasets(call)).find(({ name }) => name === 'mastr_einheiten')?.asOf ?? call.today;

/** Lines that cite the data of a view, as its licence asks. */
export async function sourcesOf({ page }: View, call: Call): Promise<readonly string[]> {
  const name = page === 'ausschreibungen' ? 'ausschreibungen' : 'mastr_einheiten';
  const set = (await datasets(call)).find((one) => one.name === name);
  const [license] = set?.lizenzen ?? [];
  const text =
    call.language === 'de' || set === undefined || license === undefined
      ? (set?.quellenvermerk ?? '')
      : [
          ...(set.erfunden ? ['Invented sample'] : []),
          `As of ${dayIn(set.asOf, 'en')} · Source: ${license.bereitsteller}, ${license.giltFuer} · ${license.url} · data changed`,
        ].join(' · ');
  return text.match(/.{1,95}(?:\s|$)/g) ?? [];
}

interface CohortRow {
  readonly kohorte: string;
  readonly energietraeger: string;
  readonly mw: number;
  readonly anzahl: number;
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
  readonly bruttoleistungKw: number;
}
