import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import sql from 'highlight.js/lib/languages/sql';
import { Html, html } from './html.ts';

/** The languages of the code on the pages, by the name that a fenced block gives them. */
const LANGUAGES = { sh: bash, http, javascript, json, python, r, sql };

type Language = keyof typeof LANGUAGES;

const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name);

/** A block of code; coloured when the language is one of those above. It can be scrolled with the keyboard. */
export function codeBlock(text: string, language: string): Html {
  return html`<pre tabindex="0"><code class="hljs">${isLanguage(language) ? coloured(text, language) : text}</code></pre>`;
}

/**
 * The highlighter learns its languages, all of them, as one may hold another, with the first block: a start has no use for
 * them.
 */
function coloured(text: string, language: Language): Html {
  if (highlight.listLanguages().length === 0)
    for (const [name, grammar] of Object.entries(LANGUAGES)) highlight.registerLanguage(name, grammar);
  return new Html(highlight.highlight(text, { language }).value);
}
