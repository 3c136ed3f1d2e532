import { type Content, html } from '../../pages/html.ts';
import { type At, methodBadge } from '../../pages/layout.ts';
import { renderMarkdown } from '../../pages/markdown.ts';
import type { OpenApiDocument } from '../openapi/shape.ts';
import { documentedOperations, operationPath, routeTarget } from './operation-page.ts';

/** The first page of the reference: what is true of all operations, and each of them with a link. */
export function overviewPage(document: OpenApiDocument, at: At): Content {
  const operations = documentedOperations(document);
  return html`<h1>Reference</h1>
<p class="lead">Every operation of the interface, with requests that can be copied and the answers they get over the sample
register. For programs: <a href="${at('v1/openapi.json')}">the OpenAPI 3.1 document</a>.</p>
<p>The nouns of the interface are those of the register, and German; <a href="${at('docs/guides/german-names')}">German
names</a> explains each. Below the list stands <a href="#keys">what is true of all operations</a>. What can go wrong has <a href="${at('docs/errors')}">a page of its own</a>.</p>
<h2 id="operations">Operations</h2>
${document.tags.map(
  ({ name, description }) => html`<h3 class="resource" id="resource-${name}">${name}</h3>
<p>${description}</p>
<div class="scroll"><table><tbody>
${operations
  .filter(({ entry }) => entry.tags.includes(name))
  .map(
    ({ method, path, entry }) =>
      html`<tr class="operation"><td>${methodBadge(method)}</td><td><a href="${at(operationPath(entry))}"><code>${path}</code></a></td><td>${entry.summary}</td></tr>
`,
  )}</tbody></table></div>
`,
)}
${renderMarkdown(document.info.description, { code: routeTarget(document, at) }).html}`;
}
