import { options } from 'preact';
import { useMemo } from 'preact/hooks';
import { NavigationProvider } from '../address/address.ts';
import { say } from '../format/language.ts';
import type { Me } from '../v1/answers.ts';
import { openClient } from '../v1/client.ts';
import { type Visit, VisitContext } from '../v1/use-answer.ts';
import { useFixedAddress } from './fixed-address.ts';
import { LanguageLink } from './language-link.tsx';
import { Outlet } from './outlet.tsx';

/**
 * A page as a public link shows it: one view, without the way to others. It asks with the token of the link; a key that the
 * browser may have is not looked at.
 */
export function Shared({ root, token, page, choices }: { root: string; token: string; page: string; choices: string }) {
  const base = new URL('app', root).pathname;
  const navigation = useFixedAddress(base, page, choices);
  const visit: Visit = useMemo(
    () => ({
      client: openClient(
        root,
        () => ({ Authorization: `Share ${token}` }),
        () => undefined,
      ),
      me: NOBODY,
      isShared: true,
      root,
      leave: () => undefined,
    }),
    [root, token],
  );
  withoutLinksBelow(base);
  return (
    <NavigationProvider value={navigation}>
      <VisitContext.Provider value={visit}>
        <div class="shared">
          <main id="main" tabIndex={-1}>
            <Outlet />
          </main>
          <footer>
            <a href={root} target="_blank" rel="noopener noreferrer">
              {say('Energieanlagen in Deutschland', 'Energy assets in Germany')}
            </a>{' '}
            <LanguageLink root={root} />
          </footer>
        </div>
      </VisitContext.Provider>
    </NavigationProvider>
  );
}

/** What pages ask about the visitor: here there is none, and nothing that is an organisation's own. */
const NOBODY: Me = {
  key: { prefix: '', scopes: [], unbekannteScopes: [] },
  organization: { id: '', modules: [], trialEndsAt: null },
  entitlements: { signals: [], alertTemplates: [] },
  limits: {
    displayRows: 0,
    exportRows: 0,
    maxAlerts: 0,
    maxPageSize: 100,
    maxRowsPerQuery: 1000,
    webhooksEnabled: false,
  },
  rateLimit: { window: '1m', perCostClass: { standard: 0, mutation: 0, expensive: 0 } },
  quota: { used: 0, limit: 0, remaining: 0, state: 'ok', periodStart: '', periodEnd: '' },
};

/** Other pages need a key: what leads to them is drawn as text. */
function withoutLinksBelow(base: string): void {
  const before = options.vnode;
  if (before !== undefined && 'isOurs' in before) return;
  const without: typeof options.vnode = (vnode) => {
    const props = vnode.props as { href?: unknown };
    const isPage = (href: string): boolean =>
      href === base || href.startsWith(`${base}/`) || href.startsWith(`${base}?`);
    if (vnode.type === 'a' && typeof props.href === 'string' && isPage(props.href)) delete props.href;
    before?.(vnode);
  };
  options.vnode = Object.assign(without, { isOurs: true });
}
