import { z } from 'zod';
import {
  dueNext,
  type LoggedDelivery,
  type LoggedEndpoint,
  loggedDeliveryRow,
  loggedEndpointRow,
  loggedEndpoints,
} from '../../../sql/org/webhooks/delivery-log.ts';
import { operation } from '../../operation/operation.ts';
import { type Html, html } from '../../pages/html.ts';
import { berlinTime } from '../../wire/time.ts';
import { endpointChoice } from './endpoint-choice.ts';
import type { Beside } from './layout.ts';
import { noticeShape, PAGE, tokenShape, type Visit, visit } from './visit.ts';
import {
  boundedCount,
  DISABLED_REASONS,
  distance,
  endpointName,
  endpointPill,
  moment,
  momentFrom,
  shortAddress,
  statePill,
  subject,
} from './words.ts';

/** The first page: the state of the endpoints, and the messages that are due next. */

const DAY_MILLISECONDS = 86_400_000;

/** The most messages that are shown as due next. */
const MAX_DUE = 10;

export const showOverview = operation({
  ...PAGE,
  id: 'portal.overview',
  method: 'GET',
  path: '/portal/{token}',
  summary: 'Delivery log: the endpoints, and what is due next',
  pathParameters: z.strictObject(tokenShape),
  query: z.strictObject(noticeShape),
  async handle(call) {
    const visited = visit(call);
    const { records, organisation } = visited;
    const [endpoints, due] = await records(async (session) => [
      await session.rows(loggedEndpointRow, loggedEndpoints(organisation.id)),
      await session.rows(loggedDeliveryRow, dueNext(organisation.id, MAX_DUE)),
    ]);
    return visited.page({
      path: '',
      title: 'Übersicht',
      content: (beside) => overview(endpoints, due, visited, beside),
    });
  },
});

const overview = (
  endpoints: readonly LoggedEndpoint[],
  due: readonly LoggedDelivery[],
  visited: Visit,
  beside: Beside,
): Html => html`<h1>Endpunkte</h1>
${
  visited.webhooksEnabled
    ? null
    : html`<p class="notice bad">Ihre Organisation hat Webhooks zurzeit nicht freigeschaltet: Es wird nichts gesendet. Was schon
gesendet wurde, bleibt hier lesbar.</p>`
}
${
  endpoints.length === 0
    ? html`<p class="empty">Es gibt noch keinen Endpunkt. Ein Endpunkt wird mit POST /v1/webhooks/endpoints angelegt.</p>`
    : html`<ul class="endpoints">${endpoints.map((endpoint) => endpointCard(endpoint, visited.now, beside))}</ul>
${dueTable(due, visited.now, beside)}
${visited.mayReplay ? replayForm(endpoints, visited, beside) : null}`
}`;

const endpointCard = (endpoint: LoggedEndpoint, now: number, beside: Beside): Html => html`<li>
<div class="head"><h2>${endpoint.description === '' ? shortAddress(endpoint.url) : endpoint.description}</h2>${endpointPill(endpoint)}</div>
<p class="address">${endpoint.url}</p>
${reasonOf(endpoint, now)}
<dl class="facts">
${fact('Zuletzt angekommen', endpoint.deliveredAt === null ? 'noch nie' : momentFrom(endpoint.deliveredAt, now))}
${endpoint.failingSince === null ? null : fact('Scheitert seit', momentFrom(endpoint.failingSince, now))}
${endpoint.disabled || endpoint.nextAttemptAt === null ? null : fact('Nächster Versuch', dueAt(endpoint, now))}
</dl>
<p class="counts">
<a href="${beside(`messages?endpoint=${endpoint.id}`)}">Alle Nachrichten</a>
${count(endpoint, 'PENDING', endpoint.pending, 'ausstehend', beside)}
${count(endpoint, 'FAILED', endpoint.failed, 'fehlgeschlagen', beside)}
${count(endpoint, 'SKIPPED', endpoint.skipped, 'ausgelassen', beside)}
</p>
</li>
`;

function reasonOf({ disabledReason, disabledAt }: LoggedEndpoint, now: number): Html | null {
  if (disabledReason === null || disabledAt === null) return null;
  return html`<p class="reason">${momentFrom(disabledAt, now)} ${DISABLED_REASONS[disabledReason]}. Bis er wieder eingeschaltet
wird, wird nichts an ihn gesendet.</p>`;
}

/** A cell of a table, which repeats the head of its column where the screen is narrow. */
export const cell = (label: string, content: Html): Html => html`<td data-label="${label}"><div>${content}</div></td>`;

export const fact = (
  name: string,
  value: Html | string | number,
): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;

const count = ({ id }: LoggedEndpoint, state: string, some: number, text: string, beside: Beside): Html | null =>
  some === 0
    ? null
    : html`<a class="${state.toLowerCase()}" href="${beside(`messages?endpoint=${id}&state=${state}`)}">${boundedCount(some)} ${text}</a>
`;

const dueTable = (
  due: readonly LoggedDelivery[],
  now: number,
  beside: Beside,
): Html => html`<h2>Als Nächstes fällig</h2>
${
  due.length === 0
    ? html`<p class="empty">Nichts steht aus.</p>`
    : html`<table class="messages">
<thead><tr><th>Nächster Versuch</th><th>Nachricht</th><th>Endpunkt</th><th>Stand</th></tr></thead>
<tbody>
${due.map(
  (delivery) => html`<tr>
${cell('Nächster Versuch', html`${dueAt(delivery, now)}`)}
${cell('Nachricht', html`<a href="${beside(`messages/${delivery.id}`)}">${subject(delivery)}</a>`)}
${cell('Endpunkt', endpointName(delivery))}
${cell('Stand', html`${statePill(delivery)}`)}
</tr>
`,
)}</tbody></table>`
}`;

const dueAt = ({ nextAttemptAt }: Pick<LoggedDelivery, 'nextAttemptAt'>, now: number): Html | string => {
  if (nextAttemptAt === null || Date.parse(nextAttemptAt) <= now) return 'jetzt';
  return html`${distance(nextAttemptAt, now)} <span class="faint">${moment(nextAttemptAt)}</span>`;
};

const replayForm = (
  endpoints: readonly LoggedEndpoint[],
  { proof, now }: Visit,
  beside: Beside,
): Html => html`<h2>Noch einmal senden</h2>
<form class="panel" method="post" action="${beside('replay')}">
<p>Sendet alles noch einmal, was seit einem Zeitpunkt fehlgeschlagen ist oder ausgelassen wurde, mit derselben
<code>webhook-id</code>. An abgeschaltete Endpunkte wird nichts gesendet.</p>
<input type="hidden" name="proof" value="${proof('undelivered')}">
<div class="fields">
${endpointChoice(endpoints, null)}
<label>Seit
<input type="datetime-local" name="since" value="${berlinTime(now - DAY_MILLISECONDS)}" required></label>
<button type="submit">Noch einmal senden</button>
</div>
</form>`;
