import type { FailedRequest, ProblemPage } from '../../operation/operation.ts';
import { html } from '../../pages/html.ts';
import type { Code } from '../../problem/codes.ts';
import type { Problem } from '../../problem/problem.ts';
import { framed, PAGE_HEADERS } from './layout.ts';

/** The page for people whose link does not hold, or who ask for something that the page cannot do. */

interface Words {
  readonly title: string;
  readonly why: string;
  readonly remedy: string;
}

const NEW_LINK =
  'Lassen Sie sich einen neuen Link geben: Die Anwendung, aus der dieser kam, ruft dafür POST /v1/webhooks/portal auf.';

const WORDS: Partial<Record<Code, Words>> = {
  LINK_EXPIRED: {
    title: 'Dieser Link gilt nicht mehr',
    why: 'Ein Link zum Zustellprotokoll gilt 15 Minuten. Er gilt auch dann nicht, wenn er nicht vollständig übernommen wurde, oder wenn der Schlüssel, mit dem er erzeugt wurde, gesperrt ist oder das Recht dazu verloren hat.',
    remedy: NEW_LINK,
  },
  FORM_REFUSED: {
    title: 'Das wurde nicht gesendet',
    why: 'Dieser Link erlaubt es nicht, Nachrichten noch einmal zu senden, oder das Formular kam nicht von seiner Seite.',
    remedy:
      'Öffnen Sie die Seite über ihren Link, und senden Sie das Formular dort ab. Zum erneuten Senden braucht der Schlüssel, mit dem der Link erzeugt wird, das Recht webhooks:manage.',
  },
  RATE_LIMITED: {
    title: 'Zu viele Aufrufe',
    why: 'Über diesen Link wurden in der letzten Minute sehr viele Seiten aufgerufen.',
    remedy: 'Warten Sie einen Augenblick, und laden Sie die Seite neu.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Gerade nicht erreichbar',
    why: 'Das Zustellprotokoll kann im Augenblick nicht gelesen werden. Zugestellt wird, sobald das wieder geht; verloren ist nichts.',
    remedy: 'Laden Sie die Seite in einigen Sekunden neu.',
  },
  INTERNAL_ERROR: {
    title: 'Das ist fehlgeschlagen',
    why: 'Der Dienst hat einen Fehler gemacht, der aufgezeichnet wurde.',
    remedy: 'Laden Sie die Seite neu. Bleibt es dabei, nennen Sie Ihrem Betreiber die Vorgangsnummer.',
  },
};

const NOT_UNDERSTOOD: Words = {
  title: 'Diese Anfrage ist unverständlich',
  why: 'Die Adresse oder das Formular hat eine Angabe, mit der die Seite nichts anfangen kann.',
  remedy: 'Gehen Sie zurück, und wählen Sie auf der Seite aus, was Sie sehen möchten.',
};

export function problemPage(problem: Problem, { id, root }: FailedRequest): ProblemPage {
  const { title, why, remedy } = WORDS[problem.code] ?? NOT_UNDERSTOOD;
  const body = framed({
    title,
    root,
    bar: null,
    content: html`<div class="stop">
<h1>${title}</h1>
<p>${why}</p>
<p>${remedy}</p>
<p class="faint">Vorgangsnummer <code>${id}</code></p>
</div>`,
  });
  return { headers: PAGE_HEADERS, body };
}
