import { describe, expect, test } from 'vitest';
import { inlineMarkdown, renderMarkdown } from '../../../api/pages/markdown.ts';

/** Documents become HTML as readers of the repository know them. */

test('headings get the anchors of Git servers, repeated ones a number', () => {
  const { headings } = renderMarkdown('# Über `von`, bis & mehr\n\n## Rows\n\n## Rows\n');
  expect(headings).toEqual([
    { depth: 1, id: 'über-von-bis--mehr', text: 'Über von, bis & mehr' },
    { depth: 2, id: 'rows', text: 'Rows' },
    { depth: 2, id: 'rows-1', text: 'Rows' },
  ]);
});

describe('links', () => {
  test('lead where they are sent to', () => {
    const { html } = renderMarkdown('[a](b.md#c)', { link: (href) => `../${href.replace('.md', '')}` });
    expect(html.text).toBe('<p><a href="../b#c">a</a></p>\n');
  });

  test('become text when nothing is served there', () => {
    expect(renderMarkdown('[a `b`](c.ts)', { link: () => null }).html.text).toBe('<p>a <code>b</code></p>\n');
  });
});

test('code that names something leads to its description', () => {
  const code = (text: string) => (text === 'GET /v1/me' ? 'me' : null);
  expect(renderMarkdown('`GET /v1/me` and `x`', { code }).html.text).toBe(
    '<p><a href="me"><code>GET /v1/me</code></a> and <code>x</code></p>\n',
  );
});

test('code is coloured in languages that are known, and escaped in all', () => {
  expect(renderMarkdown('```json\n{"a": 1}\n```').html.text).toContain('<span class="hljs-attr">');
  expect(renderMarkdown('```unknown\n<b>\n```').html.text).toContain('&lt;b&gt;');
});

test('HTML in a document is shown, not used', () => {
  expect(renderMarkdown('<script>x</script>\n').html.text).toBe('&lt;script&gt;x&lt;/script&gt;\n');
  expect(inlineMarkdown('a <b>').text).toBe('a &lt;b&gt;');
});
