import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, TOP_LEVEL_FOLDERS } from './folders.ts';

/** Every file and folder that a page names or links to exists. */

const files = ['*', `{${TOP_LEVEL_FOLDERS.join(',')}}/**/*`]
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((file) => !file.includes('node_modules/'));
const PAGES = files.filter((file) => file.endsWith('.md'));

/** Pages may name a source file by the end of its path: `scan/decode.ts`. */
const endings = new Set(
  files.flatMap((file) => file.split('/').map((_, start, parts) => parts.slice(start).join('/'))),
);

/** Text in backticks, and words of indented lines, that can only be paths of the repository. */
function pathsIn(page: string): string[] {
  const quoted = [...page.matchAll(/`([^`\s]+)`/g)].map(([, text]) => text!);
  const drawn = [...page.matchAll(/^ {4}.*$/gm)].flatMap(([line]) => line.split(/\s+/));
  return [...quoted, ...drawn]
    .map((text) => text.replace(/[#:,;].*$/, ''))
    .filter((text) => isSource(text) && !/[*<>{}…$=]/.test(text));
}

const isSource = (text: string): boolean =>
  /^[\w./-]+\.(?:ts|sql|md|ya?ml|js)$/.test(text) ||
  new RegExp(`^(?:${TOP_LEVEL_FOLDERS.join('|')})/[\\w./-]*$`).test(text);

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  test('names files and folders that exist', () => {
    expect(pathsIn(text).filter((path) => !endings.has(path.replace(/^\.\/|\/$/g, '')))).toEqual([]);
  });

  test('links to files and headings that exist', () => {
    const targets = [...text.matchAll(/\]\((?!\w+:)([^)\s]*)\)/g)].map(([, target]) => target!);
    expect(targets.filter((target) => !leadsSomewhere(page, target))).toEqual([]);
  });
});

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, file))) return false;
  return heading === undefined || headingsOf(file).includes(heading);
}

/** The anchors that headings get on usual Git servers. */
const headingsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );

test('checks every page', () => {
  expect(PAGES.map((page) => basename(page))).toEqual(expect.arrayContaining(['README.md', 'architecture.md']));
});
