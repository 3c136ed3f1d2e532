import type { ComponentChildren } from 'preact';

/** A page that is not there yet: it has its heading already, for readers of screens. */
export const Awaited = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <header class="page-head">
      <h1>{name}</h1>
    </header>
    {children}
  </>
);
