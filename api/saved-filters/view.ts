import { z } from 'zod';
import { ILL_FORMED, isStorable } from '../wire/parameters.ts';

/** The view that a saved filter opens: a page of the dashboards with its choices, never another address. */

/** Pages that show what somebody has chosen, by their names under /app; the first page is called ueberblick, as in public links. */
const KEPT_PAGES = [
  ...['ueberblick', 'region', 'zeitreihe', 'vergleich', 'altersstruktur', 'karte', 'qualitaet', 'einheiten'],
  ...['ausschreibungen', 'portfolio', 'aenderungen'],
] as const;

const MAX_QUERY = 4000;

/** Names of choices, as pages have them: nothing else may get into a link. */
const CHOICE = /^[a-zA-Z]\w{0,49}$/;

export const viewShape = z
  .strictObject({
    page: z.enum(KEPT_PAGES).describe('The page under /app; the first one is `ueberblick`'),
    query: z
      .string()
      .max(MAX_QUERY, `must have at most ${MAX_QUERY} characters`)
      .refine(isStorable, ILL_FORMED)
      .refine(areChoices, 'must be the choices of a page as its address has them, without ?, each once')
      .describe('Its choices, as its address has them'),
  })
  .meta({ id: 'SavedView', description: 'A page of the dashboards with its choices' });

function areChoices(query: string): boolean {
  if (/^[?#]|[\s#]/.test(query)) return false;
  const names = [...new URLSearchParams(query).keys()];
  return names.every((name) => CHOICE.test(name)) && new Set(names).size === names.length;
}
