import { CHANGELOG, GUIDES } from '../docs/guides/documents.ts';
import { codeBlock } from '../pages/code.ts';
import { type Html, html } from '../pages/html.ts';
import type { At } from '../pages/layout.ts';
import type { ServedData } from './entry-points.ts';

/** The first page of the service: what it has, three calls to copy, and where to go on. */
export const indexPage = (
  { asOf, units, invented }: ServedData,
  baseUrl: string,
  at: At,
): Html => html`<h1>Energy asset data service</h1>
<p class="lead">The German register of energy assets (Marktstammdatenregister) as answers: units by more than seventy filters,
counts by twenty dimensions, regions exact to the day, and copies that follow the register.</p>
<dl class="figures">
<div><dt>units of the register</dt><dd>${units === null ? '–' : units.toLocaleString('en')}</dd></div>
<div><dt>as of</dt><dd>${asOf ?? 'no data yet'}</dd></div>
<div><dt>licence of the data</dt><dd>dl-de/by-2-0</dd></div>
</dl>
${invented ? html`<p>A sample: these units are invented, in the proportions of the country.</p>` : ''}
<h2 id="calls">Three calls to begin with</h2>
<p>Keys come from the administrator of the service. Where it was started to try things, its key is in
<code>var/demo-key</code>: <code>export KEY=$(cat var/demo-key)</code></p>
${CALLS.map(
  ({ title, path }) => html`<h3>${title}</h3>
<div class="call">${codeBlock(`curl -H "Authorization: Bearer $KEY" \\\n  "${baseUrl}${path}"`, 'sh')}</div>
`,
)}
<h2 id="go-on">Where to go on</h2>
<ul class="cards">
${card(at('app'), 'Dashboards', 'Regions at a glance: charts, maps and tables')}
${card(at('docs'), 'Reference', 'Every operation, with examples that can be copied and sent')}
${GUIDES.slice(0, 3).map(({ path, title, about }) => card(at(path), title, about))}
${card(at('docs/errors'), 'Error codes', 'Cause and remedy of each')}
${card(at(CHANGELOG.path), CHANGELOG.title, CHANGELOG.about)}
${card(at('v1/openapi.json'), 'OpenAPI 3.1', 'The interface for generators of clients')}
${card(at('v1/health'), 'Health', 'Whether the service can answer now')}
</ul>
<p>Data: Bundesnetzagentur, Marktstammdatenregister, licence
<a href="https://www.govdata.de/dl-de/by-2-0">dl-de/by-2-0</a>.</p>`;

const CALLS = [
  {
    title: 'What is installed in Bavaria, by energy carrier',
    path: '/v1/aggregations?groupBy=einheitTyp&bundesland=Bayern',
  },
  {
    title: 'The largest solar units there',
    path: '/v1/units?bundesland=Bayern&einheitTyp=solar&sort=bruttoleistungKw:desc&limit=3',
  },
  {
    title: 'How wind power grew in Lower Saxony',
    path: '/v1/region/zeitreihe?periode=jahr&energietraeger=wind&ebene=bundesland&region=Niedersachsen&von=2020-01-01',
  },
];

const card = (href: string, title: string, about: string): Html =>
  html`<li><a href="${href}"><b>${title}</b><span>${about}</span></a></li>
`;
