import { useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { keptQuery } from '../address/kept-query.ts';
import { monthsFrom, today } from '../format/dates.ts';
import { say } from '../format/language.ts';
import type { ShareAnswer } from '../v1/organisation-answers.ts';
import type { Problem } from '../v1/problem.ts';
import { sentenceOf } from '../v1/problem-words.ts';
import { useVisit } from '../v1/use-answer.ts';
import { FormDialog } from './form-dialog.tsx';
import { ShareCode } from './share-code.tsx';

/** Pages that a link can show, by their path: the interface calls the first one by its name. */
const SHAREABLE = ['', 'region', 'vergleich', 'zeitreihe', 'altersstruktur', 'karte', 'einheiten', 'ausschreibungen'];

const MOST_MONTHS = 12;
const USUAL_MONTHS = 3;

/** Makes a public link to what the page shows. */
export function ShareButton({ title }: { title: string }) {
  const { me, isShared } = useVisit();
  const { address } = useNavigation();
  if (isShared || !SHAREABLE.includes(address.path) || !me.key.scopes.includes('shares:write')) return null;
  return <ShareDialog title={title} />;
}

function ShareDialog({ title }: { title: string }) {
  const { client } = useVisit();
  const { address } = useNavigation();
  const [endsOn, setEndsOn] = useState(monthsFrom(today(), USUAL_MONTHS));
  const [origins, setOrigins] = useState('');

  const send = async () => {
    const query = keptQuery(address.query);
    const frameAncestors = origins
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(originOf);
    const body = { name: nameOf(title), page: address.path || 'ueberblick', query, endsOn, frameAncestors };
    const { data } = await client.change<ShareAnswer>(
      { path: '/v1/shares', body },
      { idempotencyKey: crypto.randomUUID() },
    );
    return <ShareCode share={data} />;
  };
  return (
    <div>
      <FormDialog
        label={say('Teilen', 'Share')}
        title={say('Ansicht teilen', 'Share the view')}
        submit={say('Link anlegen', 'Make a link')}
        send={send}
        whyNot={whyNot}
      >
        <p class="note">
          {say(
            'Ein Link, mit dem jeder genau diese Ansicht sieht, ohne Schlüssel und mit den Zahlen des jeweiligen Tages. Unter „Konto“ lässt er sich zurückziehen.',
            'A link by which everybody sees exactly this view, without a key and with the figures of the day. It can be withdrawn under “Account”.',
          )}
        </p>
        <label>
          {say('Gilt bis einschließlich', 'Valid up to and including')}
          <input
            type="date"
            required
            min={today()}
            max={monthsFrom(today(), MOST_MONTHS)}
            value={endsOn}
            onInput={(event) => setEndsOn(event.currentTarget.value)}
          />
        </label>
        <label>
          {say(
            'Websites, die sie einbetten dürfen, eine je Zeile (sonst keine)',
            'Websites that may embed it, one a line (otherwise none)',
          )}
          <textarea
            rows={2}
            spellcheck={false}
            placeholder="https://www.example.org"
            value={origins}
            onInput={(event) => setOrigins(event.currentTarget.value)}
          />
        </label>
      </FormDialog>
    </div>
  );
}

/** The interface takes so many characters, of one line. */
const MOST_LETTERS = 200;

const nameOf = (title: string): string =>
  title
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MOST_LETTERS)
    .replace(/\p{Cs}$/u, '')
    .trim();

/** People paste the address of a page. */
const originOf = (text: string): string => (URL.canParse(text) ? new URL(text).origin : text);

function whyNot(problem: Problem): string {
  const pointers = problem.errors?.map(({ pointer }) => pointer ?? '') ?? [];
  if (pointers.includes('#/query')) {
    return say(
      'Diese Ansicht hat eine Angabe, die sich nicht teilen lässt: das Portfolio, einen gespeicherten Filter, ein Ereignis, oder Punkte der Karte.',
      'This view has a part that cannot be shared: the portfolio, a saved filter, an event, or points of the map.',
    );
  }
  if (pointers.some((pointer) => pointer.startsWith('#/frameAncestors'))) {
    return say(
      'Eine Website beginnt mit https:// und hat keinen Pfad: https://www.example.org',
      'A website begins with https:// and has no path: https://www.example.org',
    );
  }
  return sentenceOf(problem);
}
