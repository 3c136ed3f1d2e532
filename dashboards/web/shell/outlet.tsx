import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { type Parameters, useNavigation } from '../address/address.ts';
import { say } from '../format/language.ts';
import { Page } from '../frame/page.tsx';
import { Awaited } from './awaited.tsx';
import { Opened } from './opened.tsx';
import { type PageChoices, pageAt } from './pages.ts';

interface Script {
  readonly Shown: ComponentType<{ id: string }>;
  readonly choices: Parameters | null;
  readonly mayHaveMore: boolean;
}

type Loaded = ({ readonly path: string } & Script) | { readonly fault: true };

/** Shows the page of the address, once its script is there. */
export function Outlet() {
  const { address } = useNavigation();
  const found = pageAt(address.path);
  const path = found === null ? null : `${found.page.path}${found.id === null ? '' : '/:id'}`;
  const [loaded, set] = useState<Loaded | null>(null);
  const [attempt, setAttempt] = useState(0);
  // The page follows from the path.
  useEffect(() => {
    if (found === null || path === null) return;
    let isWanted = true;
    const { page, id } = found;
    const script: Promise<Script> =
      id === null || page.loadItem === undefined
        ? page.load().then(({ Page: Shown, ...more }) => ({ Shown: Shown as Script['Shown'], ...said(more) }))
        : page.loadItem().then(({ ItemPage: Shown, ...more }) => ({ Shown, ...said(more) }));
    script.then(
      (loadedScript) => isWanted && set({ path, ...loadedScript }),
      () => isWanted && set({ fault: true }),
    );
    return () => {
      isWanted = false;
    };
  }, [path, attempt]);

  if (found === null) return <NotFound />;
  if (loaded !== null && 'fault' in loaded) {
    return (
      <Page title={found.page.name}>
        <div class="state failed" role="alert">
          <h2>{say('Die Seite konnte nicht geladen werden', 'The page could not be loaded')}</h2>
          <p>
            {say(
              'Vielleicht wurde der Dienst erneuert, seit sie geöffnet wurde.',
              'Perhaps the service was renewed since it was opened.',
            )}
          </p>
          <p class="actions">
            <button type="button" onClick={() => setAttempt(attempt + 1)}>
              {say('Erneut versuchen', 'Try again')}
            </button>
            <button type="button" onClick={() => location.reload()}>
              {say('Neu laden', 'Load again')}
            </button>
          </p>
        </div>
      </Page>
    );
  }
  if (loaded === null || loaded.path !== path) {
    return (
      <Awaited name={found.page.name}>
        <p class="state waiting">{say('Wird geladen …', 'Loading …')}</p>
      </Awaited>
    );
  }
  return (
    <Guarded key={address.path} name={found.page.name}>
      <Opened name={found.page.name} choices={loaded.choices} mayHaveMore={loaded.mayHaveMore}>
        <loaded.Shown id={found.id ?? ''} />
      </Opened>
    </Guarded>
  );
}

/** What the script of a page says of its address. */
const said = ({ CHOICES, FURTHER = false }: PageChoices): Omit<Script, 'Shown'> => ({
  choices: CHOICES,
  mayHaveMore: FURTHER,
});

/** Stands in for a page that failed while it was drawn: otherwise nothing would be seen at all. */
function Guarded({ name, children }: { name: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <Page title={name}>
      <div class="state failed" role="alert">
        <h2>{say('Die Seite konnte nicht gezeigt werden', 'The page could not be shown')}</h2>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <p class="actions">
          <button type="button" onClick={reset}>
            {say('Erneut versuchen', 'Try again')}
          </button>
        </p>
      </div>
    </Page>
  );
}

function NotFound() {
  const { address, at } = useNavigation();
  return (
    <Page title={say('Diese Seite gibt es nicht', 'This page does not exist')}>
      <p>
        {say('Unter', 'There is nothing at')} <code>{address.path}</code>
        {say(' ist nichts.', '.')} <a href={at('')}>{say('Zum Überblick', 'To the overview')}</a>
      </p>
    </Page>
  );
}
