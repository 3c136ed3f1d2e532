import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDemo } from '../../api/admin/demo.ts';
import { execute } from '../../api/admin/execution/execute.ts';
import { startService } from '../../api/server.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { currentPublication } from '../../sql/warehouse/versions.ts';
import { runCommandLine } from '../api/admin/console.ts';
import { serving } from '../api/delta/chain.ts';
import { publishSample } from '../support/built.ts';
import { ingestHere } from '../support/command.ts';
import { OF_EVERY_PROCESS, QUICK_START } from '../support/environment.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { putStore } from '../support/prepared-store.ts';
import { type Subject, subject } from '../support/service.ts';
import { readCurl } from './guides/curl.ts';
import { type CommandStep, type ProgramStep, type RequestStep, readGuide } from './guides/guide.ts';
import { replayQuery } from './guides/power-query.ts';
import { canRun, type RunLanguage, runProgram } from './guides/program.ts';
import { differencesOf, type Names } from './guides/shown.ts';

/** Sends every request that these pages show to a service over the sample and compares the answers with those shown. */

const ROOT = new URL('../../', import.meta.url).pathname;
const GUIDES = [
  'README.md',
  'docs/region-analysts.md',
  'docs/api-clients.md',
  'docs/recipes.md',
  'docs/webhooks.md',
  'docs/administration.md',
];

/** The part of a page that is a guide, where the rest is not. */
const PARTS: Readonly<Record<string, RegExp>> = {
  // The receivers are run by test/docs/webhooks.test.ts.
  'docs/webhooks.md': /^.*?(?=^## A receiver in JavaScript$)/ms,
  'docs/administration.md': /^## Fields and contacts, step by step$.*?(?=^## One organisation)/ms,
};

/** The pages tell their readers to start the service with this day and find it at this address. */
const TODAY = '2026-11-01';
const ADDRESS = 'http://127.0.0.1:8080';

const built = temporaryFolder();
beforeAll(async () => {
  const warehouse = join(built.path, 'warehouse');
  await publishSample(warehouse);
  const words = 'export --format parquet --decimals double --publish'.split(' ');
  const exported = await ingestHere(warehouse, words, { TODAY, DUMPS_DIR: join(built.path, 'dumps') });
  expect(exported.code).toBe(0);
});
afterAll(() => built.remove());

interface Demo extends Subject {
  /** Does what `npm run admin --` does beside a running service, which executes the command. @returns what it prints */
  administer(words: readonly string[], input: string): Promise<string>;
}

/** Does what `npm start` does, in a state folder of its own: creates the demo organisation and serves the sample. */
async function startDemo(folder: string): Promise<Demo> {
  cpSync(built.path, folder, { recursive: true });
  await putStore(join(folder, 'org'));
  const settings: Settings = readSettings({
    STATE_DIR: folder,
    DUMPS_DIR: join(folder, 'dumps'),
    PORT: '0',
    TODAY,
    QUERY_THREADS: '2',
    // docs/webhooks.md tells its readers to set this.
    WEBHOOK_ALLOWED_HOSTS: 'hooks.example.org',
  });
  const log = pino({ level: 'silent' });
  const store = await openOrgStore(settings, log);
  const demo = await ensureDemo(store, settings);
  const service = await startService(settings, log, store);
  return {
    ...subject(service.url, demo!.key),
    async administer(words, input) {
      const context = { store, settings, log };
      const { code, out, err } = await runCommandLine(words, (command, raw) => execute(command, raw, context), input);
      expect(err === '' || code === 0, err).toBe(true);
      return out.trimEnd();
    },
    async stop() {
      await service.close();
      await store.close();
    },
  };
}

describe.each(GUIDES)('%s', (file) => {
  const whole = readFileSync(join(ROOT, file), 'utf8');
  const page = PARTS[file] === undefined ? whole : (PARTS[file].exec(whole)?.[0] ?? '');
  const steps = readGuide(page);
  const state = temporaryFolder();
  /** The folder in which the reader's shell is, and into which curl puts its files. */
  const files = temporaryFolder();
  const names: Names = new Map();
  const variables = new Map<string, string>();
  let service: Demo;

  beforeAll(async () => {
    service = await startDemo(state.path);
  });
  afterAll(async () => {
    await service?.stop();
    state.remove();
    files.remove();
  });

  /**
   * Puts the address and key of this service, and the texts that earlier answers showed, into a command of the page.
   */
  const filledIn = (text: string): string =>
    text
      .replaceAll('$API', ADDRESS)
      .replaceAll('$KEY', service.key)
      .replaceAll(/\$([A-Z]+)/g, (text, name) => variables.get(name) ?? text)
      .replaceAll(/<[a-z][a-z-]*>/g, (name) => names.get(name) ?? expect.fail(`No earlier answer shows ${name}`));

  async function sendStep({ command, answer }: RequestStep): Promise<void> {
    const { method, path, init, output } = readCurl(filledIn(command), ADDRESS);
    const { status, headers, text } = await service.send(method, path, init);
    if (output !== null) {
      expect(status).toBe(200);
      return writeFileSync(join(files.path, output), text);
    }
    const withAddress = (words: string) => words.replaceAll(service.url, ADDRESS);
    const seen = { status, headers: new Headers([...headers].map(([name, value]) => [name, withAddress(value)])) };
    expect(differencesOf(answer, { ...seen, text: withAddress(text) }, names)).toEqual([]);
  }

  async function administer({ words, input, variable, prints }: CommandStep): Promise<void> {
    const printed = await service.administer(words.map(filledIn), input === null ? '' : filledIn(input));
    if (variable !== null) variables.set(variable, printed);
    if (prints === null) return;
    const type = prints.form === 'json' ? 'application/json' : 'text/csv';
    const seen = { status: 200, headers: new Headers({ 'Content-Type': type }), text: printed };
    expect(differencesOf(`HTTP/1.1 200 OK\n\n${prints.text}`, seen, names)).toEqual([]);
  }

  async function run({ script, words }: CommandStep): Promise<void> {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const [, ...program] = scripts[script].split(' ');
    const arguments_ = words.map((word) => word.replace(/^var\//, `${state.path}/`));
    await promisify(execFile)(process.execPath, [...QUICK_START, ...program, ...arguments_], {
      cwd: ROOT,
      env: { ...OF_EVERY_PROCESS, STATE_DIR: state.path, INGEST_WORKERS: '1' },
    });
    const published = currentPublication(join(state.path, 'warehouse'))!;
    await serving(service, published);
    // The alerts may not be evaluated yet: a reader who types this is slower than the test.
    await expect
      .poll(async () => JSON.parse(await service.administer(['alerts', 'evaluations', '--json'], '')).evaluations, {
        timeout: 60_000,
      })
      .toContainEqual(expect.objectContaining({ version: published.version, endedAt: expect.any(String) }));
  }

  /** The program may print the address of this service and what earlier answers showed. */
  async function runShown({ text, prints }: ProgramStep, language: RunLanguage): Promise<void> {
    const program = filledIn(text).replaceAll(ADDRESS, service.url);
    const printed = await runProgram(language, program, files.path, { API: service.url, KEY: service.key });
    expect(printed.replaceAll('\r\n', '\n').trimEnd()).toBe(prints);
  }

  /** Sends what Excel would send, with the key of this service, and finds the columns that the table has. */
  async function replay({ text }: ProgramStep): Promise<void> {
    const { columns, rows } = await replayQuery(text.replace('your key', service.key), ADDRESS, service);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) for (const column of columns) expect(row).toHaveProperty(column);
  }

  test.for(steps.map((step) => [step.name, step] as const))('%s', async ([, step], { skip }) => {
    if (step.kind === 'request') await sendStep(step);
    else if (step.kind === 'command') await (step.script === 'admin' ? administer(step) : run(step));
    else if (step.language === 'powerquery') await replay(step);
    else if (await canRun(step.language, step.text)) await runShown(step, step.language);
    else skip(`there is no interpreter of ${step.language} here, or not with what the page uses`);
  });

  test('shows every request in a fenced block that this test runs', () => {
    const requests = steps.filter(({ kind }) => kind === 'request');
    expect(page.match(/^\s*curl /gm) ?? []).toHaveLength(requests.length);
  });
});
