import type { OperationResult } from '../../operation/operation.ts';
import { html } from '../../pages/html.ts';
import type { Visit } from './visit.ts';

const WORDS = {
  endpoint: {
    title: 'Diesen Endpunkt gibt es nicht mehr',
    why: 'Er ist entfernt worden, und mit ihm sein Zustellprotokoll. Die Ereignisse selbst liefert GET /v1/events 30 Tage lang.',
  },
  message: {
    title: 'Diese Nachricht gibt es nicht mehr',
    why: 'Nachrichten bleiben hier 30 Tage, und nicht länger als ihr Endpunkt.',
  },
} as const;

/** The page about something that a valid link has led to before. */
export const gone = (visited: Visit, what: keyof typeof WORDS): OperationResult => ({
  ...visited.page({
    path: what === 'message' ? 'messages/gone' : 'messages',
    title: WORDS[what].title,
    content: (beside) => html`<h1>${WORDS[what].title}</h1>
<p>${WORDS[what].why}</p>
<p><a href="${beside('messages')}">Alle Nachrichten</a></p>`,
  }),
  status: 404,
});
