import type { ComponentProps } from 'preact';
import { Page } from '../frame/page.tsx';
import { KeepButtons } from './keep-buttons.tsx';
import type { Watchable } from './kept.ts';

/** A page whose view can be kept: under the name that its title gives it, or as an alert about what it shows. */
export function KeptPage({
  watchables = [],
  prefers = null,
  changed = [],
  described,
  canBeKept = true,
  isLasting = true,
  tools,
  ...page
}: ComponentProps<typeof Page> & {
  /** What an alert could ask; none where the view is no filter of units. */
  watchables?: readonly Watchable[];
  /** The template of most alerts of this page. */
  prefers?: string | null;
  /** Fields whose changes the page shows. */
  changed?: readonly string[];
  /** What the page shows, in a line. Default: its title. */
  described?: string;
  /** False: it is not known yet what the page shows. */
  canBeKept?: boolean;
  /** False: what is shown passes, and is not worth keeping. */
  isLasting?: boolean;
}) {
  const title = [page.title, ...(page.about ?? [])].filter((part) => part !== null).join(', ');
  return (
    <Page
      {...page}
      tools={
        <>
          {tools}
          {canBeKept && <KeepButtons described={described ?? title} {...{ watchables, prefers, changed, isLasting }} />}
        </>
      }
    />
  );
}
