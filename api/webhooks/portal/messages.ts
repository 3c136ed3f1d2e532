import { z } from 'zod';
import {
  DELIVERY_STATES,
  type LoggedDelivery,
  loggedDeliveryRow,
  logPage,
  type NamedEndpoint,
  namedEndpointRow,
  namedEndpoints,
} from '../../../sql/org/webhooks/delivery-log.ts';
import { operation } from '../../operation/operation.ts';
import { type Html, html } from '../../pages/html.ts';
import { pageOf } from '../../wire/paging.ts';
import { calendarDay, oneWord, text } from '../../wire/parameters.ts';
import { berlinMidnight, nextDay } from '../../wire/time.ts';
import { endpointChoice, option } from './endpoint-choice.ts';
import { gone } from './gone.ts';
import type { Beside } from './layout.ts';
import { cell } from './overview.ts';
import { noticeShape, PAGE, tokenShape, type Visit, visit } from './visit.ts';
import { attemptPill, distance, endpointName, moment, number, STATES, statePill, subject } from './words.ts';

/** The page of the messages, newest first, by endpoint, state and day. */

const MESSAGES_PER_PAGE = 50;

const query = z.strictObject({
  ...noticeShape,
  endpoint: text().optional(),
  state: oneWord(DELIVERY_STATES).optional(),
  day: calendarDay()
    .refine((day) => day >= '1970-01-01', 'must be a day after 1970')
    .optional(),
  cursor: text().optional(),
});

type Filter = z.infer<typeof query>;

export const listMessages = operation({
  ...PAGE,
  id: 'portal.messages',
  method: 'GET',
  path: '/portal/{token}/messages',
  summary: 'Delivery log: the messages, newest first',
  pathParameters: z.strictObject(tokenShape),
  query,
  problems: ['INVALID_CURSOR'],
  async handle(call) {
    const visited = visit(call);
    const { records, organisation } = visited;
    const { query, search, service } = call;
    const endpoints = await records((session) => session.rows(namedEndpointRow, namedEndpoints(organisation.id)));
    const { endpoint: endpointId = null, state, day, cursor } = query;
    if (endpointId !== null && !endpoints.some(({ id }) => id === endpointId)) return gone(visited, 'endpoint');
    const filter = {
      endpointId,
      states: state === undefined ? DELIVERY_STATES : [state],
      from: day === undefined ? null : berlinMidnight(day),
      until: day === undefined ? null : berlinMidnight(nextDay(day)),
    };
    const { rows, meta } = await pageOf<LoggedDelivery>({
      path: 'portal',
      query: { limit: MESSAGES_PER_PAGE, cursor },
      search,
      service,
      question: [organisation.id, filter],
      keyOf: (row) => [row.createdAt, row.id],
      read: (after, limit) =>
        records((session) =>
          session.rows(
            loggedDeliveryRow,
            logPage(organisation.id, { ...filter, after: after as [string, string] | null, limit }),
          ),
        ),
    });
    return visited.page({
      path: 'messages',
      title: 'Nachrichten',
      content: (beside) => html`<h1>Nachrichten</h1>
${filterForm(endpoints, query, beside)}
${rows.length === 0 ? nothing(query) : table(rows, visited, beside)}
${pages(query, meta.cursor, beside)}`,
    });
  },
});

const filterForm = (
  endpoints: readonly NamedEndpoint[],
  { endpoint, state, day }: Filter,
  beside: Beside,
): Html => html`<form class="filter panel" method="get" action="${beside('messages')}">
<div class="fields">
${endpointChoice(endpoints, endpoint ?? null)}
<label>Stand
<select name="state">
${option('', 'Jeder Stand', state === undefined)}${DELIVERY_STATES.map((one) => option(one, STATES[one], one === state))}</select></label>
<label>Tag
<input type="date" name="day"${day === undefined ? null : html` value="${day}"`}></label>
<button type="submit">Anzeigen</button>
${isFiltered({ endpoint, state, day }) ? html`<a href="${beside('messages')}">Alle anzeigen</a>` : null}
</div>
</form>`;

const isFiltered = ({ endpoint, state, day }: Filter): boolean =>
  endpoint !== undefined || state !== undefined || day !== undefined;

const nothing = (filter: Filter): Html =>
  isFiltered(filter) || filter.cursor !== undefined
    ? html`<p class="empty">Dazu gibt es keine Nachricht.</p>`
    : html`<p class="empty">Noch ist nichts zu senden gewesen. Nachrichten bleiben hier 30 Tage.</p>`;

const table = (rows: readonly LoggedDelivery[], { now }: Visit, beside: Beside): Html => html`<table class="messages">
<thead><tr><th>Ereignis</th><th>Nachricht</th><th>Endpunkt</th><th>Stand</th><th>Letzter Versuch</th></tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>
${cell('Ereignis', html`${moment(row.createdAt)}`)}
${cell('Nachricht', html`<a href="${beside(`messages/${row.id}`)}">${subject(row)}</a>${matches(row)}`)}
${cell('Endpunkt', endpointName(row))}
${cell('Stand', html`${statePill(row)}${next(row, now)}`)}
${cell('Letzter Versuch', html`${lastAttempt(row)}`)}
</tr>
`,
)}</tbody></table>`;

export const matches = ({ matchCount }: LoggedDelivery): Html | null =>
  matchCount === null
    ? null
    : html` <span class="faint">${number(matchCount)} ${matchCount === 1 ? 'Einheit' : 'Einheiten'}</span>`;

function next({ state, nextAttemptAt, endpointDisabled, underWay }: LoggedDelivery, now: number): Html | null {
  if (state !== 'PENDING' || nextAttemptAt === null || endpointDisabled || underWay) return null;
  return html` <span class="faint">${Date.parse(nextAttemptAt) <= now ? 'jetzt' : distance(nextAttemptAt, now)}</span>`;
}

const lastAttempt = ({ lastBeganAt, lastStatus, lastError }: LoggedDelivery): Html =>
  lastBeganAt === null
    ? html`<span class="faint">noch keiner</span>`
    : html`${attemptPill(lastStatus)} <span class="faint" title="${lastError ?? ''}">${moment(lastBeganAt)}</span>`;

function pages(filter: Filter, cursor: string | null, beside: Beside): Html | null {
  const { endpoint, state, day } = filter;
  const target = (more: Record<string, string>) => {
    const chosen = Object.entries({ endpoint, state, day, ...more }).filter(([, value]) => value !== undefined);
    return beside(`messages?${new URLSearchParams(chosen as [string, string][])}`);
  };
  if (filter.cursor === undefined && cursor === null) return null;
  return html`<nav class="pages" aria-label="Seiten">
${filter.cursor === undefined ? null : html`<a href="${target({})}">« Neueste</a>`}
${cursor === null ? null : html`<a href="${target({ cursor })}" rel="next">Ältere »</a>`}
</nav>`;
}
