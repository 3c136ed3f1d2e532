import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { NavigationProvider, useBrowserAddress } from '../address/address.ts';
import type { Me, MeAnswer } from '../v1/answers.ts';
import { openClient } from '../v1/client.ts';
import { type Problem, problemOf } from '../v1/problem.ts';
import { dropKey, keepKey, readKey, takeKeyFromAddress } from '../v1/session.ts';
import { type Visit, VisitContext } from '../v1/use-answer.ts';
import { followLinks } from './follow-links.ts';
import { Gate } from './gate.tsx';
import { Layout } from './layout.tsx';
import { Outlet } from './outlet.tsx';

/** @param root address of the service, with a slash at the end */
export function App({ root }: { root: string }) {
  const base = new URL('app', root).pathname;
  const navigation = useBrowserAddress(base);
  const [key, setKey] = useState<string | null>(() => takeKeyFromAddress() ?? readKey());
  const [me, setMe] = useState<Me | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const leave = useCallback((why: Problem | null = null) => {
    dropKey();
    setKey(null);
    setMe(null);
    setProblem(why);
  }, []);
  const client = useMemo(() => (key === null ? null : openClient(root, `Bearer ${key}`, leave)), [root, key, leave]);

  useEffect(() => {
    if (client === null || key === null) return;
    const aborter = new AbortController();
    client.ask<MeAnswer>({ path: '/v1/me' }, { signal: aborter.signal }).then(
      ({ data }) => {
        keepKey(key);
        setProblem(null);
        setMe(data);
      },
      (error) => {
        if (aborter.signal.aborted) return;
        setKey(null);
        setProblem(problemOf(error));
      },
    );
    return () => aborter.abort();
  }, [client, key]);

  useEffect(() => followLinks(base, navigation.go), [base, navigation.go]);

  // An address with a key that is opened in this tab changes the fragment alone: the document is not loaded again.
  useEffect(() => {
    const take = (): void => {
      const taken = takeKeyFromAddress();
      if (taken === null || taken === key) return;
      setMe(null);
      setProblem(null);
      setKey(taken);
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [key]);

  const visit: Visit | null = useMemo(
    () => (client === null || me === null ? null : { client, me, isShared: false, root, leave: () => leave() }),
    [client, me, root, leave],
  );
  return (
    <NavigationProvider value={navigation}>
      {visit === null ? (
        <Gate isChecking={key !== null} problem={problem} root={root} onKey={setKey} />
      ) : (
        <VisitContext.Provider value={visit}>
          <Layout>
            <Outlet />
          </Layout>
        </VisitContext.Provider>
      )}
    </NavigationProvider>
  );
}
