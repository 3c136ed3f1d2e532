import { expect, test } from 'vitest';
import { html } from '../../../api/pages/html.ts';

/** Templates escape what they are given, so that no text of the register or of a document can become markup. */

test('a text is escaped, between tags and in attributes', () => {
  const hostile = `<script>"&'`;
  expect(html`<a title="${hostile}">${hostile}</a>`.text).toBe(
    '<a title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</a>',
  );
});

test('HTML inside HTML stays as it is, lists are joined, null is nothing', () => {
  expect(html`<ul>${['a', 'b'].map((name) => html`<li>${name}</li>`)}</ul>${null}${0}`.text).toBe(
    '<ul><li>a</li><li>b</li></ul>0',
  );
});
