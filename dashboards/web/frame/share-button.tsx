import { useId, useRef, useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { monthsFrom, today } from '../format/dates.ts';
import type { Share, ShareAnswer } from '../v1/organisation-answers.ts';
import { type Problem, problemOf } from '../v1/problem.ts';
import { sentenceOf } from '../v1/problem-words.ts';
import { useVisit } from '../v1/use-answer.ts';
import { ShareCode } from './share-code.tsx';

/** Pages that a link can show, by their path: the interface calls the first one by its name. */
const SHAREABLE = ['', 'region', 'vergleich', 'zeitreihe', 'altersstruktur', 'karte', 'einheiten', 'ausschreibungen'];

/** The place in a list is none of the view, nor is what newsletters append. */
const NO_CHOICE = /^(cursor|seite|limit|utm_\w+|\w+clid|mc_[ce]id)$/;

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
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [endsOn, setEndsOn] = useState(monthsFrom(today(), USUAL_MONTHS));
  const [origins, setOrigins] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [share, setShare] = useState<Share | null>(null);

  const open = (): void => {
    setProblem(null);
    setShare(null);
    dialog.current?.showModal();
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const query = new URLSearchParams([...address.query].filter(([name]) => !NO_CHOICE.test(name))).toString();
    const frameAncestors = origins
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(originOf);
    const body = { name: title, page: address.path || 'ueberblick', query, endsOn, frameAncestors };
    try {
      const { data } = await client.change<ShareAnswer>(
        { path: '/v1/shares', body },
        { idempotencyKey: crypto.randomUUID() },
      );
      setShare(data);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="share-view">
      <button type="button" onClick={open}>
        Teilen
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>Ansicht teilen</h2>
        {share === null ? (
          <form onSubmit={submit}>
            <p class="note">
              Ein Link, mit dem jeder genau diese Ansicht sieht, ohne Schlüssel und mit den Zahlen des jeweiligen Tages.
              Unter „Konto“ lässt er sich zurückziehen.
            </p>
            <label>
              Gilt bis einschließlich
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
              Websites, die sie einbetten dürfen, eine je Zeile (sonst keine)
              <textarea
                rows={2}
                spellcheck={false}
                placeholder="https://www.example.org"
                value={origins}
                onInput={(event) => setOrigins(event.currentTarget.value)}
              />
            </label>
            {problem !== null && (
              <p class="fault" role="alert">
                {whyNot(problem)}
              </p>
            )}
            <p class="actions">
              <button type="submit" class="primary" disabled={isBusy}>
                Link anlegen
              </button>
              <button type="button" onClick={() => dialog.current?.close()}>
                Abbrechen
              </button>
            </p>
          </form>
        ) : (
          <>
            <div role="status">
              <ShareCode share={share} />
            </div>
            <p class="actions">
              <button type="button" class="primary" onClick={() => dialog.current?.close()}>
                Fertig
              </button>
            </p>
          </>
        )}
      </dialog>
    </div>
  );
}

/** People paste the address of a page. */
const originOf = (text: string): string => (URL.canParse(text) ? new URL(text).origin : text);

function whyNot(problem: Problem): string {
  const pointers = problem.errors?.map(({ pointer }) => pointer ?? '') ?? [];
  if (pointers.includes('#/query')) {
    return 'Diese Ansicht hat eine Angabe, die sich nicht teilen lässt: das Portfolio, einen gespeicherten Filter, ein Ereignis, oder Punkte der Karte.';
  }
  if (pointers.some((pointer) => pointer.startsWith('#/frameAncestors'))) {
    return 'Eine Website beginnt mit https:// und hat keinen Pfad: https://www.example.org';
  }
  return sentenceOf(problem);
}
