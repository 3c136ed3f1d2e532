import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RELEASE } from '../../runtime/release.ts';
import { ROOT } from '../docs/folders.ts';

/** The Dockerfile keeps the rules of linters and its own promises. No image is built here. */

interface Instruction {
  readonly name: string;
  readonly text: string;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const instructions: readonly Instruction[] = read('Dockerfile')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(' ')[0]!, text: line.replace(/^\S+ /, '') }));

const named = (name: string, among = instructions): string[] =>
  among.filter((one) => one.name === name).map(({ text }) => text);

const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

describe('Dockerfile', () => {
  test('names the release that the code and the changelog name', () => {
    expect(named('LABEL').join()).toContain(`org.opencontainers.image.version=${RELEASE}`);
    expect(read('CHANGELOG.md')).toMatch(
      new RegExp(`^## \\[${RELEASE.replaceAll('.', '\\.')}\\] - 20\\d\\d-\\d\\d-\\d\\d$`, 'm'),
    );
  });

  test('has only instructions that builders know, and no ADD', () => {
    const known = ['FROM', 'LABEL', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'];
    expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([]);
  });

  test('has several stages on a base of one major release of Node, the one of the package', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const [, major] = /^\^?(\d+)\./.exec(dependencies.node)!;
    expect(named('FROM').map((text) => text.split(' ')[0])).toEqual([`node:${major}-slim`, `node:${major}-slim`]);
  });

  test('installs what the lock file says, without development packages and scripts', () => {
    const [install = ''] = named('RUN').filter((text) => text.includes('npm'));
    expect(install).toMatch(/^npm ci --omit=dev --ignore-scripts\b/);
    const order = instructions.map(({ name, text }) => `${name} ${text}`);
    expect(order.findIndex((line) => line.includes('package-lock.json'))).toBeLessThan(
      order.findIndex((line) => line.includes('npm ci')),
    );
  });

  test('runs as a user of its own, under a number that hosts do not have', () => {
    const [create = ''] = named('RUN', lastStage);
    expect(create).toMatch(/^useradd --system --uid 1\d{4} .*\benergy\b/);
    expect(named('USER', lastStage)).toEqual(['energy']);
    const at = (name: string) => lastStage.findIndex((one) => one.name === name);
    expect(at('USER')).toBeGreaterThan(lastStage.findLastIndex(({ name }) => name === 'COPY'));
    expect(at('USER')).toBeLessThan(at('CMD'));
  });

  test('starts processes without a shell between, so that signals reach them', () => {
    const commands = [
      ...named('CMD', lastStage),
      ...named('HEALTHCHECK', lastStage).map((text) => text.replace(/.*CMD /, '')),
    ];
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const [program, file] = JSON.parse(command) as string[];
      expect(program).toBe('node');
      expect(existsSync(join(ROOT, file!)), file).toBe(true);
    }
  });

  test('leaves BASE_URL to whoever runs it: the service says so when it is missing', () => {
    expect(named('ENV').join()).toContain('HOST=0.0.0.0');
    expect(named('ENV').join()).not.toContain('BASE_URL');
  });
});

describe('.dockerignore', () => {
  const [first, ...others] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const allowed = others.map((line) => line.replace(/^!/, ''));

  test('leaves everything out but what it names', () => {
    expect(first).toBe('*');
    expect(others.every((line) => line.startsWith('!'))).toBe(true);
  });

  test('names what is copied, and nothing else', () => {
    const copied = instructions
      .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from'))
      .flatMap(({ text }) => text.split(' ').slice(0, -1));
    expect([...new Set(copied)].sort()).toEqual(allowed.toSorted());
    for (const path of allowed) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });
});

test('the image has every source that a source in it imports', () => {
  const folders = ['runtime', 'sql', 'ingest', 'data', 'api', 'docs'];
  const inImage = (path: string) =>
    folders.includes(path.split('/')[0]!) || ['package.json', 'CHANGELOG.md'].includes(path);
  for (const file of globSync('{runtime,sql,ingest,data,api}/**/*.ts', { cwd: ROOT })) {
    for (const [, target] of readFileSync(join(ROOT, file), 'utf8').matchAll(/^import [^']*'(\.[^']+)'/gm)) {
      expect(inImage(join(file, '..', target!)), `${file}: ${target}`).toBe(true);
    }
  }
});
