import type { Language } from '../operation/operation.ts';
import { pageFile } from './files.ts';
import { type Content, html } from './html.ts';

/**
 * Writes a page of few words, for people whom a link has led to the service: it has no navigation and needs no script.
 * @param root leads from the page to the root of the service, such as `../`
 */
export function plainPage(title: string, root: string, content: Content, language: Language = 'de'): string {
  const file = (name: string): string => `${root}docs/files/${pageFile(name).address}`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${file('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${file('frame.css')}">
<link rel="stylesheet" href="${file('text.css')}">
</head>
<body class="text">
<main>
${content}
</main>
</body>
</html>
`.text;
}
