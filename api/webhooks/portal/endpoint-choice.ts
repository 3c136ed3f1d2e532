import type { NamedEndpoint } from '../../../sql/org/webhooks/delivery-log.ts';
import { type Html, html } from '../../pages/html.ts';
import { shortAddress } from './words.ts';

/** A field of a form in which an endpoint is chosen. @param chosen id of the chosen endpoint; null = all */
export const endpointChoice = (
  endpoints: readonly NamedEndpoint[],
  chosen: string | null,
): Html => html`<label class="wide">Endpunkt
<select name="endpoint">
${option('', 'Alle Endpunkte', chosen === null)}
${endpoints.map(({ id, url, description }) => option(id, description === '' ? shortAddress(url) : `${description} – ${shortAddress(url)}`, id === chosen))}
</select></label>`;

export const option = (value: string, text: string, chosen: boolean): Html =>
  html`<option value="${value}"${chosen ? html` selected` : null}>${text}</option>
`;
