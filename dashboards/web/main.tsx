import { render } from 'preact';
import { App } from './shell/app.tsx';

/** The pages begin here: the document that the service sends names the way from the page to its root. */

const root = new URL(document.body.dataset.root ?? './', location.href).href;

render(<App root={root} />, document.body);
