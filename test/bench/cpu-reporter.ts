import type { Reporter, TestModule } from 'vitest/node';
import { processTree, secondsOfTree } from './support/processes.ts';

/**
 * Prints the processor time of each test file when it ends, that of the processes it started included:
 *
 *     npm test -- --maxWorkers=1 --reporter=./test/bench/cpu-reporter.ts <files>
 *
 * Time on the wall depends on what else the machine does, and the suite takes half of its processor time on two cores. With
 * more than one worker the time of one file would count for another.
 */
export default class CpuReporter implements Reporter {
  #before = 0;

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    const now = secondsSoFar();
    print(relativeModuleId, now - this.#before);
    this.#before = now;
  }

  onTestRunStart(): void {
    this.#before = secondsSoFar();
    print('before the first file', this.#before);
  }

  onTestRunEnd(): void {
    print('altogether', secondsSoFar());
  }
}

const print = (name: string, seconds: number): void =>
  void process.stdout.write(`${seconds.toFixed(1).padStart(8)} CPU-s  ${name}\n`);

const secondsSoFar = (): number => secondsOfTree(processTree(process.pid));
