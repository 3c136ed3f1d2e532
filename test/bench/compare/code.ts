import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { NotMeasurable } from '../support/place.ts';
import { note, ROOT, run } from '../support/register.ts';

/** A version of the code that can be run. */
export interface Code {
  /** Commit and first line of its message. */
  readonly name: string;
  /** The folder of its sources, with its packages. */
  readonly root: string;
}

const execute = promisify(execFile);

/** @param fault what it means when the command fails @throws NotMeasurable */
async function git(words: readonly string[], fault = `git ${words.join(' ')} failed`): Promise<string> {
  try {
    const { stdout } = await execute('git', words, { cwd: ROOT });
    return stdout.trim();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new NotMeasurable(`There is nothing to compare with: ${isMissing ? 'git is not installed' : fault}`);
  }
}

/** The working tree as it is. */
export async function ownCode(): Promise<Code> {
  const isChanged = (await git(['status', '--porcelain', '--untracked-files=no'])) !== '';
  return { name: `${await described('HEAD')}${isChanged ? ', with changes' : ''}`, root: ROOT };
}

const described = (commit: string): Promise<string> => git(['log', '-1', '--format=%h %s', commit]);

/**
 * The sources of a commit, in a folder of the cache that later runs use again, with packages of its own where it has
 * others.
 * @throws NotMeasurable
 */
export async function codeOf(commit: string, cache: string): Promise<Code> {
  await git(['rev-parse', '--git-dir'], 'this is no repository of git');
  const id = await git(
    ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`],
    `${commit} is no commit of this repository. A shallow clone has few: git fetch --deepen=10`,
  );
  const name = await described(id);
  const root = resolve(cache, `code-${id.slice(0, 12)}`);
  const mark = join(root, '.complete');
  if (!existsSync(mark)) {
    removeOthers(cache);
    mkdirSync(root, { recursive: true });
    const archive = join(root, 'sources.tar');
    await git(['archive', '--format=tar', `--output=${archive}`, id]);
    await run('tar', ['-xf', archive, '-C', root]);
    rmSync(archive);
    await providePackages(root);
    writeFileSync(mark, '');
  }
  return { name, root };
}

/** One is kept: with packages of its own it takes a gigabyte. */
function removeOthers(cache: string): void {
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith('code-')))
    rmSync(join(cache, name), { recursive: true, force: true });
}

const LOCK = 'package-lock.json';

async function providePackages(root: string): Promise<void> {
  if (readFileSync(join(root, LOCK), 'utf8') === readFileSync(join(ROOT, LOCK), 'utf8')) {
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    return;
  }
  note('Installing the packages of that commit, which has others');
  await run('npm', ['ci', '--prefix', root, '--no-audit', '--no-fund']);
}
