import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../runtime/command-line/exit.ts';
import { openApiDocument } from '../docs/openapi/document.ts';
import { OPERATIONS } from '../operations.ts';

/**
 * Packs the typed client of docs/clients/typescript into a folder, `var` unless it is named: the types of the interface are made
 * from its description, and both are compiled.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = join(ROOT, 'docs/clients/typescript');
const BIN = join(ROOT, 'test/docs/clients/node_modules/.bin');

const OPTIONS = {
  ...{
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['es2023', 'dom', 'dom.asynciterable'],
  },
  ...{ strict: true, declaration: true, types: [] },
};

if (!['openapi-typescript', 'tsc'].every((name) => existsSync(join(BIN, name)))) {
  process.stderr.write(
    'The client is made with openapi-typescript and its own TypeScript, which `npm ci --omit=dev` leaves out: run `npm ci`\n',
  );
  process.exit(EXIT.failed);
}

const into = resolve(process.argv[2] ?? 'var');
mkdirSync(into, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'energy-assets-client-'));
const run = (command: string, ...words: string[]): string =>
  execFileSync(command, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
try {
  for (const name of ['package.json', 'index.ts']) cpSync(join(SOURCE, name), join(folder, name));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(ROOT, 'node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(OPERATIONS, 'https://energy.example')));
  run(join(BIN, 'openapi-typescript'), 'openapi.json', '--output=schema.d.ts');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['index.ts'] }));
  run(join(BIN, 'tsc'), '-p', '.');
  const packed = run('npm', 'pack', '--silent', '--pack-destination', into).trim();
  process.stdout.write(`Packed ${join(into, packed)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
