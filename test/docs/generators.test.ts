import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../api/docs/openapi/document.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { temporaryFolder } from '../support/fixture.ts';

/**
 * Generators of clients understand the OpenAPI document. They are no dependencies: openapi-typescript needs another version of
 * TypeScript than this project, and openapi-python-client is Python. So each test runs where its generator is installed.
 */

const run = promisify(execFile);

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const folder = temporaryFolder();
const document = join(folder.path, 'openapi.json');
beforeAll(() => {
  writeFileSync(document, JSON.stringify(openApiDocument(OPERATIONS, 'https://energy.example')));
});
afterAll(() => folder.remove());

const CALLER = `
import type { paths } from './types.d.ts';
type Units = paths['/v1/units']['get'];
export const query: Units['parameters']['query'] = { einheitTyp: ['wind'], leistungMinKw: 750, limit: 10 };
export const first = (answer: Units['responses'][200]['content']['application/json']): string | undefined =>
  answer.data[0]?.mastrNummer;
export const codeOf = (problem: Units['responses'][400]['content']['application/problem+json']): string => problem.code;
`;

describe.skipIf(!isInstalled('openapi-typescript'))('openapi-typescript (skipped where it is not installed)', () => {
  test('makes types that a strict program can be written with', async () => {
    const { path } = folder;
    await run('openapi-typescript', [document, '-o', join(path, 'types.d.ts')]);
    writeFileSync(join(path, 'caller.ts'), CALLER);
    writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files: ['caller.ts'] }));
    const tsc = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname;
    await expect(run(tsc, ['-p', path])).resolves.toMatchObject({ stdout: '' });
  });
});

const STRICT = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  allowImportingTsExtensions: true,
  module: 'nodenext',
};

describe.skipIf(!isInstalled('openapi-python-client'))(
  'openapi-python-client (skipped where it is not installed)',
  () => {
    test('makes a client without a warning', async () => {
      const target = ['--path', document, '--output-path', join(folder.path, 'client'), '--meta', 'none'];
      const { stdout, stderr } = await run('openapi-python-client', ['generate', ...target]);
      expect(`${stdout}${stderr}`).not.toMatch(/warning|error/i);
    });
  },
);
