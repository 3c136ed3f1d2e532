import { randomInt } from 'node:crypto';
import { allFiles, filesOfRun, LONG_FILES } from './long-files.ts';

/** Names a run of the suite, as cases.ts draws by it. Processes of tests inherit it. */
export const nameRun = (): void => {
  process.env.SEED ??= String(randomInt(1e6));
};

/** Says by what a run draws, and what it leaves out. */
export default function setup(): void {
  const all = allFiles();
  const left = all.length - filesOfRun(all, process.argv.slice(2)).length;
  const without =
    left === 0 ? '' : `, without ${left} of ${LONG_FILES.length} long files, which npm run test:all tries, too`;
  process.stderr.write(`Cases are drawn by SEED=${process.env.SEED}${without}\n`);
}
