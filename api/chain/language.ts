import type { Language, Operation } from '../operation/operation.ts';
import type { Context } from './context.ts';

/** The parameter and the cookie that say which language somebody has chosen. */
const CHOSEN = 'sprache';

/** A language with its region, which does not matter here, and how much it is preferred. */
const LANGUAGE = /^ *(?<language>[a-z]{2,3})(?:-[a-z0-9-]+)? *(?:; *q=(?<quality>[01](?:\.\d{1,3})?))? *$/i;
const MOST_LANGUAGES = 20;

/** The language of a page: the one that its address names, else the one that was chosen before, else that of the browser. */
export function languageOf(context: Context, { languages = [] }: Pick<Operation, 'languages'>): Language {
  const [usual = 'en', ...others] = languages;
  if (others.length === 0) return usual;
  context.vary(['Accept-Language', 'Cookie']);
  const named = [new URLSearchParams(context.querystring).get(CHOSEN), context.cookies.get(CHOSEN)];
  const asked = context
    .get('Accept-Language')
    .split(',', MOST_LANGUAGES)
    .map((part) => LANGUAGE.exec(part)?.groups ?? {})
    .map(({ language = '', quality = '1' }) => ({ language: language.toLowerCase(), quality: Number(quality) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ language }) => language);
  // Somebody who reads British English reads English, whatever comes after it.
  return [...named, ...asked].flatMap((language) => languages.find((known) => known === language) ?? [])[0] ?? usual;
}
