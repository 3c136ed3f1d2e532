import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { processTree, residentOf, secondsOfTree, timesOfProcess } from './processes.ts';

/** The expense of a program, with all the processes that it started. */
export interface Spent {
  readonly seconds: number;
  /** Processor time. */
  readonly cpuSeconds: number;
  /** The most memory that all of them had resident together, MB. */
  readonly peakMemoryMb: number;
}

export interface Program {
  readonly command: string;
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Called with each line that it prints, and the processor seconds it had taken by then. What it prints is dropped
   * without this.
   */
  readonly onLine?: (line: string, cpuSeconds: number) => void;
}

const SAMPLE_MS = 100;

/**
 * Runs a program to its end; its complaints are shown. No other program may be started meanwhile: the kernel adds up
 * the processor time of all that have ended.
 * @throws Error when it fails
 */
export async function spentBy({ command, words, environment = {}, onLine }: Program): Promise<Spent> {
  const [begun, before] = [performance.now(), endedSeconds()];
  const child = spawn(command, words, {
    stdio: ['ignore', onLine === undefined ? 'ignore' : 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const ended = once(child, 'close');
  const peak = watchMemory(child);
  if (child.stdout !== null && onLine !== undefined) {
    createInterface({ input: child.stdout }).on('line', (line) => onLine(line, secondsSoFar(child)));
  }
  const [code] = await ended;
  const peakMemoryMb = peak();
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${code ?? child.signalCode}`);
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: endedSeconds() - before, peakMemoryMb };
}

/** Processor time of all processes that this one has started and that have ended. */
const endedSeconds = (): number => timesOfProcess('self')?.waitedForSeconds ?? 0;

const secondsSoFar = ({ pid }: ChildProcess): number => (pid === undefined ? 0 : secondsOfTree(processTree(pid)));

/** Looks several times a second, and at the peak that the kernel notes of each single process. */
function watchMemory({ pid }: ChildProcess): () => number {
  let peak = 0;
  const look = () => {
    if (pid === undefined) return;
    const residents = [...processTree(pid).keys()].map(residentOf);
    peak = Math.max(
      peak,
      residents.reduce((sum, { nowMb }) => sum + nowMb, 0),
      ...residents.map(({ peakMb }) => peakMb),
    );
  };
  const timer = setInterval(look, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
