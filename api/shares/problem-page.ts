import type { FailedRequest, Language, ProblemPage } from '../operation/operation.ts';
import { html } from '../pages/html.ts';
import { plainPage } from '../pages/plain.ts';
import type { Code } from '../problem/codes.ts';
import type { Problem } from '../problem/problem.ts';

/** The page for people whose public link does not hold. Who may frame it was decided before (chain/share.ts). */

interface Words {
  readonly title: string;
  readonly why: string;
}

const WORDS: Readonly<Record<Language, Partial<Record<Code, Words>>>> = {
  de: {
    LINK_EXPIRED: {
      title: 'Dieser Link gilt nicht mehr',
      why: 'Er ist abgelaufen oder wurde zurückgezogen, oder er wurde nicht vollständig übernommen. Wer ihn veröffentlicht hat, kann einen neuen geben.',
    },
    RATE_LIMITED: {
      title: 'Zu viele Aufrufe',
      why: 'In der letzten Minute wurde diese Ansicht sehr oft geöffnet. Laden Sie die Seite gleich noch einmal.',
    },
  },
  en: {
    LINK_EXPIRED: {
      title: 'This link is no longer valid',
      why: 'It has expired or was withdrawn, or a part of it is missing. Whoever has published it can give a new one.',
    },
    RATE_LIMITED: {
      title: 'Too many calls',
      why: 'This view was opened very often in the last minute. Load the page again in a moment.',
    },
  },
};

const BROKEN: Readonly<Record<Language, Words>> = {
  de: {
    title: 'Die Ansicht kann gerade nicht gezeigt werden',
    why: 'Laden Sie die Seite in einigen Sekunden neu.',
  },
  en: { title: 'The view cannot be shown now', why: 'Load the page again in a few seconds.' },
};

export function problemPage({ code }: Problem, { id, root, language }: FailedRequest): ProblemPage {
  const { title, why } = WORDS[language][code] ?? BROKEN[language];
  const idName = language === 'de' ? 'Vorgangsnummer' : 'id of the request';
  const body = plainPage(
    title,
    root,
    html`<h1>${title}</h1>
<p>${why}</p>
<p><small><code>${code}</code>, ${idName} <code>${id}</code></small></p>`,
    language,
  );
  return { headers: { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' }, body };
}
