import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { compile, modulePath, SOURCES } from '../../tools/compile-wasm.ts';

/** The modules of WebAssembly that are committed are what their sources say: after a change, `npm run wasm` writes them. */

it.each(Object.keys(SOURCES))('%s is compiled from its source', async (name) => {
  expect(Buffer.from(await compile(name)).equals(readFileSync(modulePath(name)))).toBe(true);
});

it('there is no other module', () => {
  const modules = globSync('ingest/**/*.wasm').map((path) => basename(path, '.wasm'));
  expect(modules.sort()).toEqual(Object.keys(SOURCES).sort());
});
