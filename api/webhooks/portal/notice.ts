import { z } from 'zod';
import { MAX_REPLAYED } from '../../../sql/org/webhooks/replay.ts';
import { type Html, html } from '../../pages/html.ts';
import { number } from './words.ts';

/** The result of a form, as the page after it says: `count` messages are sent again, or `none` for this reason. */
const noticeShape = z.union([
  z.strictObject({ replayed: z.int().min(0) }),
  z.strictObject({ refused: z.enum(['NOT_FOUND', 'DISABLED']) }),
]);

export type Notice = z.infer<typeof noticeShape>;

const REFUSALS = {
  NOT_FOUND: 'Nichts wurde gesendet: die Nachricht oder der Endpunkt ist nicht mehr da.',
  DISABLED: 'Nichts wurde gesendet: der Endpunkt ist abgeschaltet. Schalten Sie ihn zuerst wieder ein.',
} as const;

function textOf(notice: Notice): string {
  if ('refused' in notice) return REFUSALS[notice.refused];
  const { replayed } = notice;
  if (replayed === 0)
    return 'Seit diesem Zeitpunkt ist nichts fehlgeschlagen oder ausgelassen worden, was noch zu senden wäre.';
  if (replayed === 1) return 'Eine Nachricht wird noch einmal gesendet.';
  const sent = `${number(replayed)} Nachrichten werden noch einmal gesendet.`;
  return replayed < MAX_REPLAYED
    ? sent
    : `${sent} Mehr gehen nicht auf einmal: senden Sie das Formular noch einmal ab.`;
}

/** @param content what a link has signed; anything else says nothing */
export function noticeFrom(content: unknown): Html | null {
  const { data } = noticeShape.safeParse(content);
  if (data === undefined) return null;
  const tone = 'replayed' in data && data.replayed > 0 ? 'good' : 'bad';
  return html`<p class="notice ${tone}" role="status">${textOf(data)}</p>
`;
}
