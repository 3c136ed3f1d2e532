import { codeBlock } from '../../pages/code.ts';
import { type Content, type Html, html } from '../../pages/html.ts';
import { type At, methodBadge } from '../../pages/layout.ts';
import { type CodeTarget, renderMarkdown } from '../../pages/markdown.ts';
import { type Code, codeEntry } from '../../problem/codes.ts';
import { type Example, type Examples, examplesOf } from '../openapi/examples.ts';
import type { AnswerEntry, OpenApiDocument, OperationEntry } from '../openapi/shape.ts';
import { requestSection } from './parameters.ts';
import { pathAndQueryOf, SAMPLE_LANGUAGES, type SampleRequest } from './samples.ts';
import { inProse, memberList, membersOf } from './schema.ts';

/** An operation as it stands in the document. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly entry: OperationEntry;
}

/** Every operation of the document, in its order. */
export const documentedOperations = ({ paths }: OpenApiDocument): DocumentedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ method: method.toUpperCase(), path, entry })),
  );

/** Path of the page of an operation, from the root of the service. */
export const operationPath = ({ operationId }: OperationEntry): string => `docs/reference/${operationId}`;

/** Turns a route that a text names, such as `GET /v1/me`, into the address of its page. */
export function routeTarget(document: OpenApiDocument, at: At): CodeTarget {
  const paths = new Map(
    documentedOperations(document).map(({ method, path, entry }) => [`${method} ${path}`, operationPath(entry)]),
  );
  return (code) => {
    const path = paths.get(code);
    return path === undefined ? null : at(path);
  };
}

/** The page of one operation: what it is for, what it takes and answers, with samples and a form to send it. */
export function operationPage(documented: DocumentedOperation, document: OpenApiDocument, at: At): Content {
  const { method, path, entry } = documented;
  const baseUrl = document.servers[0]?.url ?? '';
  const examples = examplesOf(entry.operationId, baseUrl);
  const sample = (example: Example): SampleRequest => ({
    method,
    path,
    baseUrl,
    request: example.request,
    needsKey: entry.security.length > 0,
  });
  const [tag = ''] = entry.tags;
  return html`<p class="crumb"><a href="${at('docs')}">Reference</a> / ${tag}</p>
<h1>${entry.summary}</h1>
<p class="route">${methodBadge(method)} <span>${path}</span></p>
${jumps(entry, examples)}
<div class="columns">
<div>
${renderMarkdown(entry.description.replaceAll(/^###(?= )/gm, '##'), { code: routeTarget(document, at) }).html}
${requestSection(entry, document.components.schemas)}
${answerSection(entry, document, at)}
</div>
<div class="aside">
${exampleSection(examples, sample)}
${tryForm(documented, examples)}
</div>
</div>`;
}

/** Links to the parts of the page, which is long on a small screen. */
function jumps({ parameters, requestBody }: OperationEntry, examples: Examples): Html {
  const takesSomething = parameters.length > 0 || requestBody !== undefined;
  return html`<nav class="jumps" aria-label="On this page">${takesSomething ? html`<a href="#request">Request</a>` : null}<a href="#answer-form">Answer</a><a href="#problems">Problems</a>${
    Object.keys(examples).length > 0 ? html`<a href="#examples">Examples</a>` : null
  }<a href="#try-it">Try it</a></nav>`;
}

function answerSection(entry: OperationEntry, { components }: OpenApiDocument, at: At): Html {
  const { schemas } = components;
  const parts = Object.entries(entry.responses).flatMap(([status, { content = {}, description }]) =>
    Object.entries(content)
      .filter(([media]) => media !== PROBLEM)
      .map(([media, { schema }]) => {
        const members = membersOf(schema, schemas);
        const [when = ''] = description.split('\n');
        return html`<h3>${status} <code>${media}</code></h3>
${status === '200' ? null : inProse(`${when}.`)}${
  members === null ? null : status === '200' ? memberList(members, schemas) : html`<p>The same form as 200.</p>`
}
`;
      }),
  );
  return html`<h2 id="answer-form">Answer</h2>
${parts}<h3 id="problems">Problems</h3>
<ul class="problems">
${problemCodes(entry.responses).map(
  (code) =>
    html`<li>${codeEntry(code).status} <a href="${at('docs/errors')}#${code}">${code}</a> <span>${codeEntry(code).title}</span></li>
`,
)}</ul>`;
}

const PROBLEM = 'application/problem+json';

const problemCodes = (responses: Readonly<Record<string, AnswerEntry>>): Code[] =>
  Object.values(responses).flatMap(({ content = {} }) => Object.keys(content[PROBLEM]?.examples ?? {}) as Code[]);

function exampleSection(examples: Examples, sample: (example: Example) => SampleRequest): Content {
  const entries = Object.entries(examples);
  if (entries.length === 0) return null;
  return html`<h2 id="examples">${entries.length === 1 ? 'Example' : 'Examples'}</h2>
${entries.map(([name, example]) => exampleCard(name, example, sample(example)))}`;
}

function exampleCard(name: string, { title, answer }: Example, sample: SampleRequest): Html {
  const { status, shortened, body, media } = answer;
  const isText = typeof body === 'string';
  return html`<section class="example">
<h3>${title}</h3>
<div class="samples" role="group" aria-label="The request as code">
${Object.entries(SAMPLE_LANGUAGES).map(([id, language]) => {
  const radio = `${name}-${id}`;
  return html`<input type="radio" name="${name}" id="${radio}" value="${id}"${id === 'curl' ? html` checked` : null}><label for="${radio}">${language.title}</label><div class="sample">${codeBlock(language.write(sample), language.language)}</div>
`;
})}</div>
<p class="status${status >= 400 ? ' failed' : ''}">${status} ${media}</p>
${shortened === undefined ? null : html`<p class="note">${shortened}</p>`}
${codeBlock(isText ? body : JSON.stringify(body, null, 2), isText ? 'text' : 'json')}
</section>
`;
}

/** A form that sends the first example, or what it was changed to. */
function tryForm({ method, path, entry }: DocumentedOperation, examples: Examples): Html {
  const request = Object.values(examples)[0]?.request ?? {};
  const body = entry.requestBody === undefined ? undefined : JSON.stringify(request.body ?? {}, null, 2);
  const isWrite = entry.parameters.some(({ name }) => name === 'dryRun');
  const address = pathAndQueryOf({ path, request });
  const media = Object.keys(entry.responses['200']?.content ?? {})[0] ?? '*/*';
  return html`<h2 id="try-it">Try it</h2>
<form id="try" data-method="${method}" data-accept="${media}, ${PROBLEM}">
${
  entry.security.length === 0
    ? null
    : html`<label>API key, kept until this tab is closed
<input name="key" type="password" autocomplete="off" spellcheck="false"></label>`
}
<label>${method}
<input name="path" spellcheck="false" autocomplete="off" value="${decodeURI(isWrite ? `${address}?dryRun=true` : address)}"></label>
${
  body === undefined
    ? null
    : html`<label>Body
<textarea name="body" spellcheck="false">${body}</textarea></label>`
}
<button type="submit">Send</button>
<div hidden><pre id="answer" tabindex="0" aria-live="polite"></pre></div>
</form>`;
}
