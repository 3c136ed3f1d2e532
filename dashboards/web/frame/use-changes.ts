import { useState } from 'preact/hooks';
import type { Answer } from '../v1/client.ts';
import { type Problem, problemOf } from '../v1/problem.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useVisit } from '../v1/use-answer.ts';

export interface Changes {
  /** Counts the changes: what was read before is read again. */
  readonly revision: number;
  /** Why the last change was refused; null = it was not. */
  readonly problem: Problem | null;
  /** Changes something, and keeps why it was refused. */
  change(request: ApiRequest): Promise<void>;
  /** The same for a form, which says itself why it was refused. @throws Refused */
  send(request: ApiRequest): Promise<void>;
}

/** Changes of the things that a figure lists. */
export function useChanges(): Changes {
  const { client } = useVisit();
  const [revision, setRevision] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const send = async (request: ApiRequest): Promise<void> => {
    setProblem(null);
    try {
      await client.change<Answer<unknown>>(request, { idempotencyKey: crypto.randomUUID() });
    } finally {
      setRevision((before) => before + 1);
    }
  };
  const change = (request: ApiRequest): Promise<void> =>
    send(request).catch((error: unknown) => setProblem(problemOf(error)));
  return { revision, problem, send, change };
}
