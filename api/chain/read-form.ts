import { Problem } from '../problem/problem.ts';
import type { Context } from './context.ts';
import { readText } from './read-bytes.ts';

/** The largest form: those of our pages have a few short fields. */
const MAX_BYTES = 16 * 1024;

/**
 * Reads what a form of one of our pages has sent. A field that was left empty is absent.
 * @throws Problem FORM_REFUSED for a form of another site
 * @throws Problem UNSUPPORTED_MEDIA_TYPE, INVALID_BODY, PAYLOAD_TOO_LARGE
 */
export async function readForm(context: Context, baseUrl: string): Promise<Record<string, string>> {
  if (!isOfOurPages(context, baseUrl)) throw new Problem('FORM_REFUSED', 'The form was sent by a page of another site');
  if (context.request.type !== 'application/x-www-form-urlencoded') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form: application/x-www-form-urlencoded');
  }
  const fields = [...new URLSearchParams(await readText(context, MAX_BYTES))].filter(([, value]) => value !== '');
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) throw new Problem('INVALID_BODY', 'The form has a field twice');
  return Object.fromEntries(fields);
}

/**
 * Browsers say where a form comes from. `Origin` is `null` there, as our pages send no referrer; older browsers, and those that
 * reach the service without TLS, do not send Sec-Fetch-Site.
 */
function isOfOurPages(context: Context, baseUrl: string): boolean {
  const site = context.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  return ['', 'null', new URL(baseUrl).origin].includes(context.get('Origin'));
}
