import type { Html } from '../../pages/html.ts';
import { html } from '../../pages/html.ts';
import type { At } from '../../pages/layout.ts';
import { type RenderedDocument, renderMarkdown } from '../../pages/markdown.ts';
import { linkTarget, readDocument, type ServedDocument } from './documents.ts';
import { fieldTables } from './fields.ts';

/** Renders a document for a page: links between documents lead to the pages of them. */
export function renderDocument(document: ServedDocument, at: At): RenderedDocument {
  return renderMarkdown(readDocument(document), {
    link(href) {
      const target = linkTarget(href, document);
      if (target === null) return null;
      return 'address' in target ? target.address : at(target.path);
    },
  });
}

/** The page of a document; that of the German names also lists every field. */
export function guidePage(document: ServedDocument, at: At): Html {
  const { html: text } = renderDocument(document, at);
  return document.path === 'docs/guides/german-names' ? html`${text}${fieldTables()}` : text;
}
