import type { Language } from '../operation/operation.ts';
import { type Html, html } from '../pages/html.ts';
import { type At, PAGE_POLICY } from '../pages/layout.ts';
import type { ServedData } from './entry-points.ts';

/** The page that greets a person: what this is, what there is now, and a door for everybody. */

interface Door {
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

interface Words {
  readonly title: string;
  readonly lead: string;
  readonly figures: readonly [units: string, operating: string, asOf: string];
  /** Of an invented register, which is so many times smaller than the country's. */
  readonly invented: (times: string) => string;
  readonly noData: string;
  readonly search: string;
  readonly example: string;
  readonly go: string;
  readonly doors: readonly Door[];
  readonly source: string;
  readonly other: string;
}

const DE: Words = {
  title: 'Energieanlagen in Deutschland',
  lead: 'Das Marktstammdatenregister als Karten, Zeitreihen und Listen: jede Anlage, jede Gemeinde, jede Nacht neu.',
  figures: ['Einheiten', 'in Betrieb', 'Stand der Daten'],
  invented: (times) =>
    `Beispieldaten: Diese Anlagen sind erfunden, in den Verhältnissen des Landes, im Maßstab 1 zu ${times}.`,
  noData: 'noch keine Daten',
  search: 'Ort suchen',
  example: 'Name, Postleitzahl oder Schlüssel',
  go: 'Zeigen',
  doors: [
    { path: 'app', title: 'Dashboards', about: 'Überblick, Karte, Vergleich, Alter, Ausschreibungen' },
    { path: 'app/einheiten', title: 'Anlagen finden', about: 'Mit jedem Filter des Registers, als CSV zum Mitnehmen' },
    { path: 'v1', title: 'Für Entwickler', about: 'REST-Schnittstelle: drei Aufrufe zum Anfangen, Referenz, OpenAPI' },
    { path: 'docs/guides/region-analysts', title: 'Notebooks', about: 'Auswerten mit Python und R (englisch)' },
    { path: 'v1/health', title: 'Zustand', about: 'Ob der Dienst gerade antworten kann' },
  ],
  source: 'Daten: Bundesnetzagentur, Marktstammdatenregister, Lizenz',
  other: 'English',
};

const EN: Words = {
  title: 'Energy assets in Germany',
  lead: 'The register of energy assets (Marktstammdatenregister) as maps, time series and lists: every unit, every municipality, new every night.',
  figures: ['units', 'in operation', 'as of'],
  invented: (times) =>
    `A sample: these units are invented, in the proportions of the country, at a scale of 1 to ${times}.`,
  noData: 'no data yet',
  search: 'Find a place',
  example: 'name, postal code or official key',
  go: 'Show',
  doors: [
    { path: 'app', title: 'Dashboards', about: 'Overview, map, comparison, age, tenders' },
    { path: 'app/einheiten', title: 'Find units', about: 'By every filter of the register, to take away as CSV' },
    { path: 'v1', title: 'For developers', about: 'REST interface: three calls to begin with, reference, OpenAPI' },
    { path: 'docs/guides/region-analysts', title: 'Notebooks', about: 'Analyses with Python and R' },
    { path: 'v1/health', title: 'Status', about: 'Whether the service can answer now' },
  ],
  source: 'Data: Bundesnetzagentur, Marktstammdatenregister, licence',
  other: 'Deutsch',
};

const WORDS: Readonly<Record<Language, Words>> = { de: DE, en: EN };

export const welcomeTitle = (language: Language): string => WORDS[language].title;
export const welcomeLead = (language: Language): string => WORDS[language].lead;

/** The form of the search may be sent to this service. */
export const WELCOME_POLICY = PAGE_POLICY.replace("form-action 'none'", "form-action 'self'");

export function welcomePage({ asOf, units, operatingKw, invented }: ServedData, language: Language, at: At): Html {
  const words = WORDS[language];
  const [unitsName, operatingName, asOfName] = words.figures;
  const written = (value: number | null) => (value === null ? '–' : value.toLocaleString(language));
  const other = language === 'de' ? 'en' : 'de';
  return html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<dl class="figures">
<div><dt>${unitsName}</dt><dd>${written(units)}</dd></div>
<div><dt>${operatingName}</dt><dd>${operatingKw === null ? '–' : powerIn(language, operatingKw)}</dd></div>
<div><dt>${asOfName}</dt><dd>${asOf === null ? words.noData : dayIn(language, asOf)}</dd></div>
</dl>
${invented && units !== null ? html`<p class="sample">${words.invented(scaleIn(language, units))}</p>` : ''}
<form class="find" action="${at('app/region')}" method="get" role="search">
<label for="ort">${words.search}</label>
<input id="ort" name="ort" placeholder="${words.example}" required maxlength="100" autocomplete="off">
<button type="submit">${words.go}</button>
</form>
<ul class="cards">
${words.doors.map(
  ({ path, title, about }) => html`<li><a href="${at(path)}"><b>${title}</b><span>${about}</span></a></li>
`,
)}</ul>
<p>${words.source} <a href="https://www.govdata.de/dl-de/by-2-0">dl-de/by-2-0</a>.
<a href="${at('')}?sprache=${other}" hreflang="${other}" lang="${other}">${words.other}</a></p>`;
}

/** The country has 290 GW in operation; the sample has less than one. */
const powerIn = (language: Language, kilowatts: number): string =>
  kilowatts < 1e7
    ? `${Math.round(kilowatts / 1e3).toLocaleString(language)} MW`
    : `${(Math.round(kilowatts / 1e5) / 10).toLocaleString(language)} GW`;

/** Units in the register of September 2026. */
const COUNTRY_UNITS = 9_500_000;

const scaleIn = (language: Language, units: number): string =>
  Math.max(1, Math.round(COUNTRY_UNITS / Math.max(1, units))).toLocaleString(language);

/** 22.08.2026, or 22 Aug 2026, as the pages write days. */
const dayIn = (language: Language, day: string): string =>
  language === 'de'
    ? day.split('-').reverse().join('.')
    : new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
