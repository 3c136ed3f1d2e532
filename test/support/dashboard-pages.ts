import { makeAlert } from './alerts.ts';
import { storeAlertEvent } from './events.ts';
import { giveExampleEndpoint } from './example-records.ts';
import { saveFilter } from './saved-filters.ts';
import type { OwnSubject } from './service.ts';

/** Every page under /app, as tests that hold for all of them visit it. */

const WIND = 'SEE900000000001';

export interface Visited {
  /** Of its entry among the pages; with `:id`, the page of one thing. */
  readonly kind: string;
  readonly path: string;
  /** Has a map: the boundaries are loaded for it, and for no other page. */
  readonly isMap?: true;
  /** Answers in which texts from outside stand. Absent = nothing on it comes from outside. */
  readonly hostile?: RegExp;
}

export const VISITED: readonly Visited[] = [
  { kind: '', path: '', hostile: /^\/v1\/units\?/ },
  { kind: 'region', path: '/region' },
  { kind: 'region', path: '/region?region=landkreis:03452&vergleich=plz:1', hostile: /^\/v1\/reference\/landkreis/ },
  { kind: 'zeitreihe', path: '/zeitreihe?region=landkreis:03452', hostile: /^\/v1\/reference\/landkreis/ },
  { kind: 'vergleich', path: '/vergleich?orte=landkreis:03452,plz:1', hostile: /^\/v1\/reference\/landkreis/ },
  { kind: 'altersstruktur', path: '/altersstruktur?region=landkreis:03452', hostile: /^\/v1\/reference\/landkreis/ },
  {
    kind: 'karte',
    isMap: true,
    path: '/karte?region=landkreis:03452&einheit=SEE900000000001',
    hostile: /^\/v1\/units\/SEE/,
  },
  { kind: 'aenderungen', path: '/aenderungen?region=landkreis:03452', hostile: /^\/v1\/reference\/landkreis/ },
  { kind: 'qualitaet', path: '/qualitaet?regel=leistung_je_flaeche_hoch', hostile: /^\/v1\/(units\?|qualitaet\?)/ },
  { kind: 'netz', path: '/netz' },
  { kind: 'netz', path: '/netz?netzbetreiber=Netz Nord AG', hostile: /^\/v1\/(units\?|netz)/ },
  { kind: 'einheiten', path: '/einheiten?fields=name,ort,windpark,betreiberName', hostile: /^\/v1\/units\?/ },
  {
    kind: 'einheiten/:id',
    isMap: true,
    path: `/einheiten/${WIND}?leer=ja&hinweise=ja`,
    hostile: /^\/v1\/(units\/SEE|custom-fields)/,
  },
  { kind: 'ausschreibungen', path: '/ausschreibungen' },
  {
    kind: 'ausschreibungen/:id',
    isMap: true,
    path: '/ausschreibungen/2020020120',
    hostile: /^\/v1\/ausschreibungen\/\d/,
  },
  { kind: 'daten', path: '/daten', hostile: /^\/v1\/datasets/ },
  { kind: 'portfolio', path: '/portfolio', hostile: /^\/v1\/(units\?|portfolio)/ },
  { kind: 'alarme', path: '/alarme', hostile: /^\/v1\/(alerts|saved-filters|events)/ },
  { kind: 'konto', path: '/konto', hostile: /^\/v1\/(me$|events|webhooks)/ },
];

/** Gives the organisation something of everything that its pages list. */
export async function giveOwnRecords({ store, organisation, send }: OwnSubject): Promise<void> {
  await giveExampleEndpoint(store, organisation);
  const alert = { id: '019a0f6e-7c1b-7d52-9f0e-00000000a001', template: 'NEW_UNIT', name: 'Neue Speicher' } as const;
  await storeAlertEvent(store, organisation, { alert });
  await makeAlert(store, organisation, alert);
  await saveFilter(store, organisation.id, {});
  await send('POST', '/v1/portfolio', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      entries: [{ mastrNummer: WIND, relationType: 'OPERATOR', externalRefs: { crm: 'A-1' } }],
    }),
  });
}
