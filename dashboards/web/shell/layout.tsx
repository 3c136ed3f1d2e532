import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useNavigation } from '../address/address.ts';
import { day } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { count } from '../format/numbers.ts';
import { useSource } from '../frame/source.ts';
import { useVisit } from '../v1/use-answer.ts';
import { LanguageLink } from './language-link.tsx';
import { GROUPS, PAGES, pageAt } from './pages.ts';
import { switchTheme } from './theme.ts';

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
        {say('Zum Inhalt', 'To the content')}
      </a>
      <header class="bar">
        <button
          type="button"
          class="icon menu"
          aria-label={say('Menü', 'Menu')}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => open(!isOpen)}
        >
          ☰
        </button>
        <a class="brand" href={at('')}>
          {say('Energieanlagen', 'Energy assets')} <span>{say('in Deutschland', 'in Germany')}</span>
        </a>
        <p class="served">
          {source !== null && (
            <>
              {source.erfunden && <b>{say('Beispieldaten: ', 'Sample: ')}</b>}
              {count(source.rows)} {say('Einheiten, Stand', 'units, as of')} {day(source.asOf)}
            </>
          )}
        </p>
        <a class="quiet" href={`${root}docs`}>
          API
        </a>
        <LanguageLink root={root} />
        <button type="button" class="icon" aria-label={say('Hell oder dunkel', 'Light or dark')} onClick={switchTheme}>
          ◐
        </button>
        <button type="button" class="quiet" onClick={leave}>
          {say('Abmelden', 'Sign out')}
        </button>
      </header>
      <div class="frame">
        <nav id="navigation" class={isOpen ? 'open' : ''} aria-label={say('Seiten', 'Pages')}>
          {Object.entries(GROUPS).map(([group, title]) => (
            <section key={group}>
              <h2>{title}</h2>
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
