import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { day } from '../format/dates.ts';
import { count } from '../format/numbers.ts';
import { useSource } from '../frame/source.ts';
import { useVisit } from '../v1/use-answer.ts';
import { PAGES, pageAt } from './pages.ts';
import { switchTheme } from './theme.ts';

const GROUPS = ['Auswerten', 'Nachschlagen', 'Eigenes'] as const;

/** Top bar and navigation, around every page. */
export function Layout({ children }: { children: ComponentChildren }) {
  const { address, at } = useNavigation();
  const { root, leave } = useVisit();
  const [isOpen, open] = useState(false);
  const current = pageAt(address.path)?.page.path;
  const source = useSource();
  // The menu closes when another page was chosen.
  useEffect(() => open(false), [address.path]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') open(false);
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [isOpen]);
  return (
    <>
      <a class="skip" href="#main">
        Zum Inhalt
      </a>
      <header class="bar">
        <button
          type="button"
          class="icon menu"
          aria-label="Menü"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => open(!isOpen)}
        >
          ☰
        </button>
        <a class="brand" href={at('')}>
          Energieanlagen <span>in Deutschland</span>
        </a>
        <p class="served">
          {source !== null && (
            <>
              {count(source.rows)} Einheiten, Stand {day(source.asOf)}
            </>
          )}
        </p>
        <a class="quiet" href={`${root}docs`}>
          API
        </a>
        <button type="button" class="icon" aria-label="Hell oder dunkel" onClick={switchTheme}>
          ◐
        </button>
        <button type="button" class="quiet" onClick={leave}>
          Abmelden
        </button>
      </header>
      <div class="frame">
        <nav id="navigation" class={isOpen ? 'open' : ''} aria-label="Seiten">
          {GROUPS.map((group) => (
            <section key={group}>
              <h2>{group}</h2>
              <ul>
                {PAGES.filter((page) => page.group === group).map(({ path, name }) => (
                  <li key={path}>
                    <a href={at(path)} {...(path === current ? { 'aria-current': 'page' as const } : {})}>
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}
