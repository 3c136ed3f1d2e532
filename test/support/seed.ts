import { randomInt } from 'node:crypto';

/** Names a run of the suite, as cases.ts draws by it. Processes of tests inherit it. */
export const nameRun = (): void => {
  process.env.SEED ??= String(randomInt(1e6));
};

/** Says by what a run draws. */
export default function setup(): void {
  process.stderr.write(`Cases are drawn by SEED=${process.env.SEED}\n`);
}
