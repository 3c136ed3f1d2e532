import { render } from 'preact';
import { App } from './shell/app.tsx';
import { Shared } from './shell/shared.tsx';

/** The pages begin here: the document that the service sends names the way from the page to its root. */

const { view, choices = '', ...data } = document.body.dataset;
const root = new URL(data.root ?? './', location.href).href;

// A relative address would be looked up anew from the address of each page, and not be there.
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
if (icon !== null) icon.setAttribute('href', icon.href);

/** The token of a public link, which is the last part of its address. */
const tokenOf = (path: string): string => path.replace(/\/$/, '').replace(/^.*\//, '');

render(
  view === undefined ? (
    <App root={root} />
  ) : (
    <Shared root={root} token={tokenOf(location.pathname)} page={view} choices={choices} />
  ),
  document.body,
);
