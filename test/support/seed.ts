import { randomInt } from 'node:crypto';

/** Names the run, as cases.ts draws by it. Processes of tests inherit it. */
export default function setup(): void {
  process.env.SEED ??= String(randomInt(1e6));
  process.stderr.write(`Cases are drawn by SEED=${process.env.SEED}\n`);
}
