import { Marked, Renderer, type RendererObject } from 'marked';
import { codeBlock } from './code.ts';
import { escaped, Html } from './html.ts';

/** A heading of a document, with the anchor that leads to it. */
interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

export interface RenderedDocument {
  readonly html: Html;
  /** In their order, the title included. */
  readonly headings: readonly Heading[];
}

/** Translates the target of a link to an address on the page; null = what it names is not served. */
type LinkTarget = (href: string) => string | null;

/** Finds what a piece of code names: the address of its description; null for most pieces. */
export type CodeTarget = (code: string) => string | null;

interface Targets {
  readonly link?: LinkTarget;
  readonly code?: CodeTarget;
}

/**
 * Renders a document of ours. Headings get the anchors that Git servers give them, code is coloured, tables scroll by
 * themselves where the page is narrow. HTML in the document is shown as text.
 */
export function renderMarkdown(
  markdown: string,
  { link = (href) => href, code = () => null }: Targets = {},
): RenderedDocument {
  const headings: Heading[] = [];
  const renderer: RendererObject = {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      const text = this.parser.parseInline(tokens, this.parser.textRenderer);
      const id = anchor(text, headings);
      headings.push({ depth, id, text });
      return `<h${depth} id="${escaped(id)}"><a class="anchor" href="#${escaped(id)}">${inner}</a></h${depth}>\n`;
    },
    code: ({ text, lang = '' }) => `${codeBlock(text, lang).text}\n`,
    link({ href, tokens }) {
      const address = link(href);
      const inner = this.parser.parseInline(tokens);
      return address === null ? inner : `<a href="${escaped(address)}">${inner}</a>`;
    },
    table(token) {
      return `<div class="scroll" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
    codespan({ text }) {
      const address = code(text);
      const piece = `<code>${escaped(text)}</code>`;
      return address === null ? piece : `<a href="${escaped(address)}">${piece}</a>`;
    },
    html: ({ text }) => escaped(text),
  };
  return { html: new Html(new Marked({ renderer }).parse(markdown, { async: false })), headings };
}

/** Renders one line: code, emphasis and links. */
export const inlineMarkdown = (text: string): Html =>
  new Html(new Marked({ renderer: { html: (token) => escaped(token.text) } }).parseInline(text, { async: false }));

/** A heading's text as Git servers make it an anchor; a second heading of the same text gets a number. */
function anchor(text: string, before: readonly Heading[]): string {
  const plain = text
    .replaceAll(/&\w+;|&#\d+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const same = before.filter(({ id }) => id === plain || id.replace(/-\d+$/, '') === plain).length;
  return same === 0 ? plain : `${plain}-${same}`;
}
