/** Debian's browser, for tests of pages; where it is missing they are skipped. */
export const CHROMIUM = '/usr/bin/chromium';

/** Options that keep the browser from sending requests of its own. */
export const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
