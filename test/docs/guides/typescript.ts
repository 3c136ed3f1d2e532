import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OF_EVERY_PROCESS } from '../../support/environment.ts';

/** Runs a TypeScript program of a guide with the client that it imports, generated, checked and bundled as a reader would. */

const ROOT = new URL('../../../', import.meta.url).pathname;
const BIN = join(ROOT, 'test/docs/clients/node_modules/.bin');

/** The commands of the guide, by what the program imports; `$API` is the address of the service. */
const GENERATORS = [
  [/from '\.\/energy'/, 'openapi-typescript', '$API/v1/openapi.json --output=energy.d.ts'],
  [/from '\.\/energy-client'/, 'openapi-ts', '-i $API/v1/openapi.json -o energy-client'],
] as const;

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
  for (const [imported, generator, words] of GENERATORS) {
    if (!imported.test(text)) continue;
    await run(join(BIN, generator), words.replace('$API', environment.API ?? '').split(' '));
  }
  symlinkSync(join(ROOT, 'node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'));
  writeFileSync(join(folder, 'program.ts'), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }));
  await run(join(BIN, 'tsc'), ['-p', '.']);
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=program.mjs', '--log-level=error'];
  await run(join(ROOT, 'node_modules/.bin/esbuild'), ['program.ts', ...bundle]);
  return await run(process.execPath, ['program.mjs']);
}
