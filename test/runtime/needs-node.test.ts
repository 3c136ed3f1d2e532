import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OF_EVERY_PROCESS } from '../support/environment.ts';

/** A Node that is too old for TypeScript is told in a sentence, whatever script it was to run. */

const ROOT = new URL('../../', import.meta.url).pathname;

/** Runs the check as another version of Node would. */
function checkedBy(version: string) {
  const other = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const pretending = `data:text/javascript,${encodeURIComponent(other)}`;
  const words = ['--import', pretending, '--import', './runtime/needs-node.mjs', '--print', '"went on"'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: ROOT,
    env: OF_EVERY_PROCESS,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('runtime/needs-node.mjs', () => {
  test.each(['20.20.2', '22.18.0', '9.0.0'])('ends Node %s with the sentence alone', (version) => {
    const { status, stdout, stderr } = checkedBy(version);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^This is Node ${version}, .* needs Node 24 or newer\\. .*npm ci.*\\n$`));
  });

  test.each(['24.0.0', '26.1.0', process.versions.node])('lets Node %s go on', (version) => {
    expect(checkedBy(version)).toEqual({ status: 0, stdout: 'went on\n', stderr: '' });
  });

  test('comes before TypeScript in every script', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    // What precedes `npm run dev` has checked already.
    const running = Object.entries(scripts).flatMap(([name, script]) =>
      name === 'dev' ? [] : script.split(/&&|\|\|/),
    );
    const typeScript = running.filter((command) => /\bnode .*\.ts$/.test(command.trim()));
    expect(typeScript.length).toBeGreaterThan(8);
    for (const command of typeScript) {
      if (!command.includes('test/structure')) expect(command).toMatch(/\bnode --import \.\/runtime\/needs-node\.mjs /);
    }
  });
});
