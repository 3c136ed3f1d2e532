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

for (const [name, language] of Object.entries(LANGUAGES)) highlight.registerLanguage(name, language);

const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name);

/** A block of code; coloured when the language is one of those above. It can be scrolled with the keyboard. */
export function codeBlock(text: string, language: string): Html {
  const code = isLanguage(language) ? new Html(highlight.highlight(text, { language }).value) : text;
  return html`<pre tabindex="0"><code class="hljs">${code}</code></pre>`;
}
