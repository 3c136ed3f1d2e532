import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../api/docs/openapi/document.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { temporaryFolder } from '../support/fixture.ts';

/** A generator that is no package of npm understands the OpenAPI document; those that are, the guide for API clients runs. */

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
