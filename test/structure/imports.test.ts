import { describe, expect, it } from 'vitest';
import { cyclesOf } from './cycles.ts';
import { folderGraph, forbiddenImports, importsOf } from './graph.ts';

/** A graph written as `a: b c`, one node a line. */
const graph = (text: string): Map<string, Set<string>> =>
  new Map(
    text
      .trim()
      .split('\n')
      .map((line) => line.trim().split(':'))
      .map(([node = '', targets = '']) => [node, new Set(targets.split(' ').filter(Boolean))]),
  );

describe('cyclesOf', () => {
  it('finds none in an acyclic graph', () => {
    expect(cyclesOf(graph('a: b c\nb: d\nc: d\nd:'))).toEqual([]);
  });

  it('returns each cycle once, starting with the first name', () => {
    expect(cyclesOf(graph('c: a\na: b\nb: c\nd: a'))).toEqual(['a → b → c → a']);
  });

  it('returns the shortest cycle through each node of a component', () => {
    expect(cyclesOf(graph('a: b\nb: c a\nc: b'))).toEqual(['a → b → a', 'b → c → b']);
  });

  it('returns cycles that are not connected', () => {
    expect(cyclesOf(graph('a: b\nb: a\nx: y\ny: x z\nz:'))).toEqual(['a → b → a', 'x → y → x']);
  });

  it('separates components that are connected in one direction only', () => {
    expect(cyclesOf(graph('a: b\nb: a x\nx: y\ny: x'))).toEqual(['a → b → a', 'x → y → x']);
  });
});

describe('importsOf', () => {
  const sources: Record<string, string> = {
    'a/one.ts': "import { two } from './two.ts';\nimport type { Three } from '../b/three.ts';\nimport 'node:fs';",
    'a/two.ts': "export {\n  three,\n} from '../b/three.ts';",
    'b/three.ts': "const one: import('../a/one.ts').One = await import ('../a/one.ts');\nimport './data.json';",
  };
  const files = importsOf(Object.keys(sources), (file) => sources[file] ?? '');

  it('reads imports of values and types, re-exports and import expressions', () => {
    expect([...files].map(([file, imports]) => [file, [...imports]])).toEqual([
      ['a/one.ts', ['a/two.ts', 'b/three.ts']],
      ['a/two.ts', ['b/three.ts']],
      ['b/three.ts', ['a/one.ts']],
    ]);
  });

  it('groups them by folder, without imports inside a folder', () => {
    expect(cyclesOf(folderGraph(files))).toEqual(['a → b → a']);
  });

  it('distinguishes a folder from its subfolders', () => {
    expect(cyclesOf(folderGraph(graph('a/one.ts: a/b/two.ts\na/b/two.ts: a/three.ts\na/three.ts:')))).toEqual([
      'a → a/b → a',
    ]);
  });

  it('finds imports of a layer that the importing layer must not know', () => {
    expect(forbiddenImports(files, { a: ['b'], b: [] })).toEqual(['b/three.ts → a/one.ts']);
  });
});
