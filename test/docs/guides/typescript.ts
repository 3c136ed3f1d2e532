import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OF_EVERY_PROCESS } from '../../support/environment.ts';

/** Runs a TypeScript program of a guide with the client that it imports, generated, checked and bundled as a reader would. */

const ROOT = new URL('../../../', import.meta.url).pathname;
const BIN = join(ROOT, 'test/docs/clients/node_modules/.bin');

const OPTIONS = {
  ...{ strict: true, noEmit: true, target: 'es2023', module: 'esnext', moduleResolution: 'bundler' },
  ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
};

/** @returns what the program prints */
export async function runTypeScript(
  text: string,
  parent: string,
  environment: Record<string, string>,
): Promise<string> {
  const folder = mkdtempSync(join(parent, 'typescript-'));
  mkdirSync(join(folder, 'node_modules'));
  const run = async (command: string, words: readonly string[]) => {
    const env = { ...OF_EVERY_PROCESS, ...environment };
    const { stdout } = await promisify(execFile)(command, words, { cwd: folder, env, timeout: 120_000 });
    return stdout;
  };
  await run(join(BIN, 'openapi-typescript'), [`${environment.API}/v1/openapi.json`, '--output=energy.d.ts']);
  symlinkSync(join(ROOT, 'node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'));
  writeFileSync(join(folder, 'program.ts'), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }));
  await run(join(BIN, 'tsc'), ['-p', '.']);
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=program.mjs', '--log-level=error'];
  await run(join(ROOT, 'node_modules/.bin/esbuild'), ['program.ts', ...bundle]);
  return await run(process.execPath, ['program.mjs']);
}
