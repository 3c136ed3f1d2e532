import { z } from 'zod';
import type { ShareRow } from '../../sql/org/shares.ts';
import type { ShareLinks } from '../access/share-links.ts';
import { SHARED_PAGES } from './views.ts';

/** Public links as their organisation sees them. */

/** The id in examples of operations that name a link. */
export const EXAMPLE_SHARE = '019a0f6e-7c1b-7d52-9f0e-00000000f00a';

export const PAGE_NAMES = Object.keys(SHARED_PAGES);

export const shareShape = z
  .strictObject({
    id: z.uuid(),
    name: z.string().describe('For this list; visitors never see it'),
    page: z.string().describe('The page under /app that is shown'),
    query: z.string().describe('Its choices, as its address has them'),
    url: z.url().describe('Opens without a key; for a frame, too'),
    pictureUrl: z.url().describe('The view as a picture (SVG), for pages without scripts and for letters'),
    state: z.enum(['live', 'ended', 'revoked']),
    frameAncestors: z.array(z.string()).describe('Origins whose pages may frame it; none: no page may'),
    keyPrefix: z.string().describe('Prefix of the key that it was made with'),
    createdAt: z.iso.datetime(),
    endsOn: z.iso.date().describe('The last day on which it holds, in Europe/Berlin'),
    revokedAt: z.iso.datetime().nullable(),
    views: z.int().describe('How often its page was opened'),
    calls: z
      .int()
      .describe(
        'Requests to the interface that were answered through it; they count against no limit of the organisation',
      ),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Share' });

export type ShareState = z.infer<typeof shareShape>['state'];

/** @param today the calendar day */
export function stateOf({ revokedAt, endsOn }: Pick<ShareRow, 'revokedAt' | 'endsOn'>, today: string): ShareState {
  if (revokedAt !== null) return 'revoked';
  return endsOn < today ? 'ended' : 'live';
}

export function shownShare(
  row: ShareRow,
  today: string,
  { settings, shareLinks }: { readonly settings: { readonly BASE_URL: string }; readonly shareLinks: ShareLinks },
): z.infer<typeof shareShape> {
  const url = `${settings.BASE_URL}/share/${shareLinks.tokenOf(row.id)}`;
  const { id, name, page, query, ...use } = row;
  return { id, name, page, query, url, pictureUrl: `${url}/bild.svg`, state: stateOf(row, today), ...use };
}
