import { useState } from 'preact/hooks';
import type { Client } from '../../v1/client.ts';
import type { Progress } from '../../v1/loaded.ts';
import type { WriteAnswer, WrittenRow } from '../../v1/organisation-answers.ts';
import { type Problem, problemOf } from '../../v1/problem.ts';
import { useVisit } from '../../v1/use-answer.ts';
import type { Batch } from './change.ts';

/** The outcome of batches: all rows that were answered, and why it stopped, if it did. */
export interface Written {
  readonly rows: readonly WrittenRow[];
  readonly problem: Problem | null;
  /** Batches that were not answered; sending them again writes nothing twice. */
  readonly remaining: readonly Batch[];
}

export interface Writing {
  readonly progress: Progress;
  /** Unix milliseconds at which it goes on by itself, when it has to wait for a limit. */
  readonly waitingUntil: number | null;
}

/** Sends batches one after the other. @returns what is under way (null = nothing), and a function that begins */
export function useWriter(): [Writing | null, (batches: readonly Batch[]) => Promise<Written>] {
  const { client } = useVisit();
  const [writing, set] = useState<Writing | null>(null);
  const write = async (batches: readonly Batch[]): Promise<Written> => {
    try {
      return await send(client, batches, set);
    } finally {
      set(null);
    }
  };
  return [writing, write];
}

async function send(client: Client, batches: readonly Batch[], report: (writing: Writing) => void): Promise<Written> {
  const rows: WrittenRow[] = [];
  const of = batches.reduce((total, { size }) => total + size, 0);
  for (const [index, { request, key }] of batches.entries()) {
    const progress = { done: rows.length, of };
    report({ progress, waitingUntil: null });
    try {
      const { data } = await client.change<WriteAnswer>(request, {
        idempotencyKey: key,
        onWait: (waitingUntil) => report({ progress, waitingUntil }),
      });
      rows.push(...data);
    } catch (error) {
      return { rows, problem: problemOf(error), remaining: batches.slice(index) };
    }
  }
  return { rows, problem: null, remaining: [] };
}
