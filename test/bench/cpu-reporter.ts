import { readdirSync, readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints the processor time of each test file, that of the processes it started included, the most expensive last:
 *
 *     npm test -- --maxWorkers=1 --reporter=./test/bench/cpu-reporter.ts <files>
 *
 * Time on the wall depends on what else the machine does, and the suite takes half of its processor time on two cores. With
 * more than one worker the time of one file would count for another.
 */
export default class CpuReporter implements Reporter {
  readonly #files: { readonly name: string; readonly seconds: number }[] = [];
  #before = 0;

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    const now = secondsOfTree();
    this.#files.push({ name: relativeModuleId, seconds: now - this.#before });
    this.#before = now;
  }

  onTestRunStart(): void {
    this.#before = secondsOfTree();
    print('before the first file', this.#before);
  }

  onTestRunEnd(): void {
    for (const { name, seconds } of this.#files.toSorted((a, b) => a.seconds - b.seconds)) print(name, seconds);
    print('altogether', secondsOfTree());
  }
}

const print = (name: string, seconds: number): void =>
  void process.stdout.write(`${seconds.toFixed(1).padStart(8)} CPU-s  ${name}\n`);

/** Ticks of the clock that the system counts in, USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** Sums up what this process and all below it have used; those that have ended count where their parents have waited for them. */
function secondsOfTree(): number {
  const processes = new Map(readdirSync('/proc').flatMap(statOf));
  const isBelow = (id: number): boolean => {
    for (let at = id; at > 1; at = processes.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  return [...processes].reduce((sum, [id, { seconds }]) => (isBelow(id) ? sum + seconds : sum), 0);
}

interface Stat {
  readonly parent: number;
  readonly seconds: number;
}

/** The entry of a process; none when it has just ended. */
function statOf(name: string): [number, Stat][] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold blanks. Four times follow: user and system, own and waited for.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [[Number(name), { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND }]];
  } catch {
    return [];
  }
}
