import { type Html, html } from '../pages/html.ts';
import { inlineMarkdown } from '../pages/markdown.ts';
import { CODES, type Code, codeEntry } from '../problem/codes.ts';

/** The page that the `type` of every problem leads to: each code with cause and remedy. */
export const errorPage = (): Html => html`<h1>Error codes</h1>
<p class="lead">Every error is a problem document (RFC 9457). Branch on its <code>code</code>, not on its texts; quote its
<code>instance</code>, the request id, when you report a fault.</p>
${(Object.keys(CODES) as Code[]).map(section)}`;

function section(code: Code): Html {
  const { status, title, cause, remedy, retryable } = codeEntry(code);
  return html`<section class="code-entry" id="${code}">
<h2><a class="anchor" href="#${code}">${code}</a> <small>${status}${retryable === true ? ', retryable' : ''}</small></h2>
<p><strong>${inlineMarkdown(title)}.</strong> ${inlineMarkdown(cause)}</p>
<p>Remedy: ${inlineMarkdown(remedy)}</p>
</section>
`;
}
