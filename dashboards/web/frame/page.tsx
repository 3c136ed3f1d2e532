import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { Said, SaidContext } from './said.ts';

/** The head of a page, and its content. A page that was opened by a link takes the focus, so that readers of screens hear of it. */
export function Page({
  title,
  lead,
  tools,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  /** The choice of what the page is about, beside its title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  const [said] = useState(() => new Said());
  const heading = useRef<HTMLHeadingElement>(null);
  const { address } = useNavigation();
  useEffect(() => {
    document.title = `${title} – Energieanlagen`;
  }, [title]);
  // Another path is another page.
  useEffect(() => {
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
      </header>
      <SaidContext.Provider value={said}>{children}</SaidContext.Provider>
    </>
  );
}
