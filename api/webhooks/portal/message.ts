import { z } from 'zod';
import {
  type Attempt,
  attemptRow,
  lastAttempts,
  wholeDelivery,
  wholeDeliveryRow,
} from '../../../sql/org/webhooks/delivery-log.ts';
import { operation } from '../../operation/operation.ts';
import { codeBlock } from '../../pages/code.ts';
import { type Html, html } from '../../pages/html.ts';
import { text } from '../../wire/parameters.ts';
import { gone } from './gone.ts';
import type { Beside } from './layout.ts';
import { matches } from './messages.ts';
import { fact } from './overview.ts';
import { isId, noticeShape, PAGE, tokenShape, type Visit, visit } from './visit.ts';
import { attemptPill, duration, endpointName, moment, momentFrom, number, statePill, subject } from './words.ts';

/** The page of one message: its state, its attempts, and its content. */

/** The most attempts that are shown: the last ones, when a message was sent again many times. */
const MAX_ATTEMPTS = 50;

type Whole = z.infer<typeof wholeDeliveryRow>;

export const showMessage = operation({
  ...PAGE,
  id: 'portal.message',
  method: 'GET',
  path: '/portal/{token}/messages/{id}',
  summary: 'Delivery log: a message with its attempts',
  pathParameters: z.strictObject({ ...tokenShape, id: text() }),
  query: z.strictObject(noticeShape),
  async handle(call) {
    const visited = visit(call);
    const { id } = call.path;
    const found = isId(id) ? await whole(visited, id) : null;
    if (found === null) return gone(visited, 'message');
    const { delivery, attempts } = found;
    return visited.page({
      path: `messages/${id}`,
      title: subject(delivery),
      content: (beside) => html`<p class="crumb"><a href="${beside('messages')}">‹ Nachrichten</a></p>
<div class="head"><h1>${subject(delivery)}</h1>${statePill(delivery)}</div>
${facts(delivery, visited.now, beside)}
${visited.mayReplay ? replayForm(delivery, visited, beside) : null}
<h2>Versuche</h2>
${attemptList(attempts)}
<h2>Inhalt</h2>
<p class="faint">Genau diese Angaben werden gesendet; hier sind sie eingerückt.</p>
${codeBlock(indented(delivery.payload), 'json')}`,
    });
  },
});

const whole = ({ records, organisation }: Visit, id: string) =>
  records(async (session) => {
    const delivery = await session.row(wholeDeliveryRow, wholeDelivery(organisation.id, id));
    if (delivery === null) return null;
    return { delivery, attempts: await session.rows(attemptRow, lastAttempts(organisation.id, id, MAX_ATTEMPTS)) };
  });

const facts = (delivery: Whole, now: number, beside: Beside): Html => html`<dl class="facts">
${fact('Ereignis', html`${momentFrom(delivery.createdAt, now)}`)}
${fact('Art', html`<code>${delivery.type}</code>${matches(delivery)}`)}
${fact('Endpunkt', html`<a href="${beside(`messages?endpoint=${delivery.endpointId}`)}">${endpointName(delivery)}</a>`)}
${delivery.deliveredAt === null ? null : fact('Angekommen', momentFrom(delivery.deliveredAt, now))}
${delivery.nextAttemptAt === null ? null : fact('Nächster Versuch', nextAttempt(delivery, now))}
${delivery.state === 'SKIPPED' ? fact('Warum', 'Als es geschah, war der Endpunkt abgeschaltet') : null}
${fact('Adresse', html`<span class="address">${delivery.url}</span>`)}
${fact('webhook-id', html`<code>${delivery.eventId}</code>`)}
</dl>`;

function nextAttempt({ nextAttemptAt, endpointDisabled, underWay }: Whole, now: number): Html | string {
  if (underWay) return 'läuft gerade';
  if (endpointDisabled) return 'sobald der Endpunkt wieder eingeschaltet ist';
  return nextAttemptAt === null || Date.parse(nextAttemptAt) <= now ? 'jetzt' : momentFrom(nextAttemptAt, now);
}

const replayForm = ({ id, endpointDisabled }: Whole, { proof }: Visit, beside: Beside): Html =>
  endpointDisabled
    ? html`<p class="faint">Der Endpunkt ist abgeschaltet. Noch einmal gesendet werden kann erst, wenn er wieder eingeschaltet ist.</p>`
    : html`<form method="post" action="${beside(`messages/${id}/replay`)}">
<input type="hidden" name="proof" value="${proof(id)}">
<button type="submit">Noch einmal senden</button>
</form>`;

function attemptList(attempts: readonly Attempt[]): Html {
  const [last] = attempts;
  if (last === undefined) return html`<p class="empty">Noch keiner.</p>`;
  return html`<ol class="attempts">
${attempts.map(attemptEntry)}</ol>
${attempts.length < last.number ? html`<p class="faint">Gezeigt werden die letzten ${attempts.length} von ${number(last.number)} Versuchen.</p>` : null}`;
}

const attemptEntry = (attempt: Attempt, index: number): Html => html`<li>
<details${index === 0 ? html` open` : null}>
<summary><b>${attempt.number}.</b> ${moment(attempt.beganAt)} ${attemptPill(attempt.status)} <span class="faint">${duration(attempt.tookMs)}</span></summary>
${attempt.error === null ? null : html`<p class="error">${attempt.error}</p>`}
${answerOf(attempt)}
</details>
</li>
`;

function answerOf({ answer, status }: Attempt): Html | null {
  if (status === null) return null;
  if (answer === null || answer === '') return html`<p class="faint">Die Antwort hatte keinen Inhalt.</p>`;
  return html`<p class="faint">Anfang der Antwort</p>
<pre class="answer" tabindex="0">${answer}</pre>`;
}

const indented = (payload: string): string => JSON.stringify(JSON.parse(payload), null, 2);
