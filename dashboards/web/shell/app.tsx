import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { NavigationProvider, useBrowserAddress } from '../address/address.ts';
import type { Me, MeAnswer } from '../v1/answers.ts';
import { openClient } from '../v1/client.ts';
import { type Problem, problemOf } from '../v1/problem.ts';
import { beginSession, endSession, hasSession, IN_SESSION, onSessionEnd, takeKeyFromAddress } from '../v1/session.ts';
import { type Visit, VisitContext } from '../v1/use-answer.ts';
import { followLinks } from './follow-links.ts';
import { Gate } from './gate.tsx';
import { Layout } from './layout.tsx';
import { Outlet } from './outlet.tsx';

/** @param root address of the service, with a slash at the end */
export function App({ root }: { root: string }) {
  const base = new URL('app', root).pathname;
  const navigation = useBrowserAddress(base);
  const [key, setKey] = useState<string | null>(takeKeyFromAddress);
  const [isInSession, setInSession] = useState(hasSession);
  const isAsking = key !== null || isInSession;
  const [me, setMe] = useState<Me | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const forget = useCallback((why: Problem | null = null) => {
    setKey(null);
    setInSession(false);
    setMe(null);
    setProblem(why);
  }, []);
  const leave = useCallback(
    (why: Problem | null = null) => {
      void endSession(root);
      // The browser was closed since, and the session with it.
      forget(why?.code === 'MISSING_API_KEY' ? null : why);
    },
    [root, forget],
  );
  // The key itself is sent until the browser has shown that it keeps the session.
  const credentials = useRef(IN_SESSION);
  const client = useMemo(() => {
    if (!isAsking) return null;
    credentials.current = key === null ? IN_SESSION : { Authorization: `Bearer ${key}` };
    return openClient(root, () => credentials.current, leave);
  }, [root, key, isAsking, leave]);
  useEffect(() => onSessionEnd(forget), [forget]);

  useEffect(() => {
    if (client === null) return;
    const aborter = new AbortController();
    client.ask<MeAnswer>({ path: '/v1/me' }, { signal: aborter.signal }).then(
      ({ data }) => {
        if (key !== null)
          void beginSession(root, key).then((isKept) => {
            if (isKept && !aborter.signal.aborted) credentials.current = IN_SESSION;
          });
        setProblem(null);
        setMe(data);
      },
      (error) => {
        if (aborter.signal.aborted) return;
        setKey(null);
        setInSession(false);
        setProblem(problemOf(error));
      },
    );
    return () => aborter.abort();
  }, [client, key, root]);

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
        <Gate isChecking={isAsking} problem={problem} root={root} onKey={setKey} />
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
