import { render } from 'preact';
import { App } from './shell/app.tsx';

/** The pages begin here: the document that the service sends names the way from the page to its root. */

const root = new URL(document.body.dataset.root ?? './', location.href).href;

// A relative address would be looked up anew from the address of each page, and not be there.
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
if (icon !== null) icon.setAttribute('href', icon.href);

render(<App root={root} />, document.body);
