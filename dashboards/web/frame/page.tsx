import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { say } from '../format/language.ts';
import { useVisit } from '../v1/use-answer.ts';
import { PageTitle } from './page-title.ts';
import { Said, SaidContext } from './said.ts';
import { ShareButton } from './share-button.tsx';

/** The head of a page, and its content. A page that was opened by a link takes the focus, so that readers of screens hear of it. */
export function Page({
  title: name,
  about = [],
  lead,
  tools,
  children,
}: {
  title: string;
  /** What the page was narrowed to, in words: place and filters. It stands behind the title; null = not narrowed by that. */
  about?: readonly (string | null)[];
  lead?: ComponentChildren;
  /** The choice of what the page is about, beside its title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  const chosen = about.filter((part) => part !== null).join(', ');
  const title = chosen === '' ? name : `${name}: ${chosen}`;
  const [said] = useState(() => new Said());
  const heading = useRef<HTMLHeadingElement>(null);
  const { address } = useNavigation();
  const { isShared } = useVisit();
  useEffect(() => {
    document.title = say(`${title} – Energieanlagen`, `${title} – Energy assets`);
  }, [title]);
  // Another path is another page.
  useEffect(() => {
    // The reader of the page that has this one in a frame is somewhere else.
    if (isShared) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [address.path]);
  return (
    <>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {tools}
        <ShareButton title={title} />
      </header>
      <PageTitle.Provider value={title}>
        <SaidContext.Provider value={said}>{children}</SaidContext.Provider>
      </PageTitle.Provider>
    </>
  );
}
