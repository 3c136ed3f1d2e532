import { z } from 'zod';
import { operation } from '../operation.ts';
import { CODES, type Code, codeEntry } from '../problem/codes.ts';
import { Asset } from '../wire/asset.ts';

/** The page that the `type` of every problem leads to: each code with cause and remedy. */
export const errorPage = operation({
  id: 'docs.errors',
  method: 'GET',
  path: '/docs/errors',
  summary: 'Every error code with cause and remedy',
  access: 'public',
  scope: null,
  module: null,
  cost: 'cheap',
  source: 'release',
  pathParameters: z.strictObject({}),
  query: z.strictObject({}),
  media: 'text/html',
  answer: null,
  async handle() {
    return { body: page };
  },
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '').replaceAll('>', '&gt;');

const section = (code: Code): string => {
  const { status, title, cause, remedy, retryable } = codeEntry(code);
  return `
<section id="${code}">
<h2>${code} <small>${status}${retryable === true ? ', retryable' : ''}</small></h2>
<p><strong>${escaped(title)}.</strong> ${escaped(cause)}</p>
<p>Remedy: ${escaped(remedy)}</p>
</section>`;
};

const page = new Asset(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-family: ui-monospace, monospace; font-size: 1.1rem; margin-top: 2rem; }
small { font-weight: normal; color: #666; }
section:target { background: #fff6d6; outline: 0.5rem solid #fff6d6; }
</style>
</head>
<body>
<h1>Error codes</h1>
<p>Every error is a problem document (RFC 9457). Branch on its code, not on its texts; quote its instance, the request
id, when you report a fault. <a href="../docs">The interface</a></p>
${(Object.keys(CODES) as Code[]).map(section).join('\n')}
</body>
</html>
`);
