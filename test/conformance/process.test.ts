import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../runtime/settings.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { drawn } from '../support/cases.ts';
import { publishFixture, TODAY, temporaryFolder } from '../support/fixture.ts';
import { startNode } from '../support/node-process.ts';
import { makeCaller } from '../support/organisation.ts';
import { putStore } from '../support/prepared-store.ts';
import { open } from '../support/raw-request.ts';

/** The service as a process: how it starts, what it says, how it ends. */

const folder = temporaryFolder();
let key: string;
beforeAll(async () => {
  await publishFixture(folder.path);
  await putStore(join(folder.path, 'org'));
  const store = await openOrgStore(readSettings({ STATE_DIR: folder.path }), pino({ level: 'silent' }));
  key = await makeCaller(store);
  await store.close();
});
afterAll(() => folder.remove());

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  output(): string;
  /** Exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

function start(environment: Record<string, string> = {}): Started {
  const child = startNode(new URL('../../api/main.ts', import.meta.url), [], {
    PORT: '0',
    TODAY,
    STATE_DIR: folder.path,
    WAREHOUSE_URL: `duckdb:${folder.path}`,
    LOG_LEVEL: 'warn',
    ...environment,
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code) };
}

/** @returns the address, once it has said all it says at its start */
async function listening(service: Started): Promise<string> {
  for (let tries = 0; tries < 2400; tries++) {
    const url = /Listening on (\S+)[\s\S]*Try next:\n( .*\n)+$/.exec(service.output())?.[1];
    if (url !== undefined) return url;
    await sleep(50);
  }
  throw new Error(`It does not listen:\n${service.output()}`);
}

describe('start', () => {
  test('on an empty store: prints its address and a command to try next, which works', async () => {
    const state = temporaryFolder();
    await putStore(join(state.path, 'org'));
    const service = start({ STATE_DIR: state.path });
    const url = await listening(service);
    const calls = [...service.output().matchAll(/^ +curl -H "(\S+): Bearer \$\(cat ([^)]+)\)" '([^']+)'$/gm)];
    expect(calls.length).toBeGreaterThan(0);
    for (const [, header = '', file = '', address = ''] of calls) {
      expect(address.startsWith(`${url}/`)).toBe(true);
      const answer = await fetch(address, { headers: { [header]: `Bearer ${readFileSync(file, 'utf8').trim()}` } });
      expect(answer.status).toBe(200);
    }
    const pages = [...service.output().matchAll(/^ +(http\S+)$/gm)];
    expect(pages.length).toBeGreaterThan(0);
    for (const [, page = ''] of pages) expect((await fetch(page)).status).toBe(200);
    const key = readFileSync(join(state.path, 'demo-key'), 'utf8').trim();
    expect(pages[0]?.[1], 'the dashboards open with the key of the demo').toBe(`${url}/app#key=${key}`);
    service.child.kill();
    await service.ended;
    state.remove();
  });

  test('on a store with organisations: no key is made or printed', async () => {
    const service = start();
    const url = await listening(service);
    expect(service.output()).not.toContain('mds_');
    expect(service.output()).toContain(`\n  ${url}/app\n`);
    expect(service.output()).toContain('curl -H "Authorization: Bearer <key>"');
  });

  test('settings that are not valid: one message, exit 2', async () => {
    const service = start({ PORT: 'eighty', QUERY_THREADS: '0' });
    expect(await service.ended).toBe(2);
    expect(service.output()).toMatch(/PORT: "eighty" must be/);
    expect(service.output()).toMatch(/QUERY_THREADS/);
    expect(service.output()).not.toMatch(/ at .*\.ts/);
  });

  test('on every address without BASE_URL: one sentence says what to do, exit 2', async () => {
    const service = start({ HOST: '0.0.0.0' });
    expect(await service.ended).toBe(2);
    expect(service.output()).toMatch(/^HOST=0\.0\.0\.0 listens on every address of this machine, .*set BASE_URL/);
    expect(service.output()).not.toMatch(/ at .*\.ts/);
  });

  test('an occupied port: one clear line, exit 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const service = start({ PORT: port });
    expect(await service.ended).toBe(1);
    expect(service.output().trim()).toBe(
      `Cannot listen on 127.0.0.1 port ${port}: is already in use; set PORT to another one`,
    );
    other.close();
  });
});

describe('stop', () => {
  test.each(drawn(['SIGTERM', 'SIGINT'] as const, 1, 1))(
    '%s: running requests are answered, idle connections close, exit 0',
    async (signal) => {
      // Were it to wait until requests are given up, the test would not end in time.
      const service = start({ SHUTDOWN_SECONDS: '600' });
      const url = await listening(service);
      const [silent, kept, begun] = [await open(url), await open(url), await open(url)];
      kept.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(kept, 'data');
      begun.write(`GET /v1/region/momentaufnahme HTTP/1.1\r\nX-API-Key: ${key}\r\n`);
      await sleep(100);
      const closed = Promise.all([once(silent, 'close'), once(kept, 'close')]);
      service.child.kill(signal);
      await closed;
      begun.write('Host: x\r\n\r\n');
      const [answer] = await once(begun, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
      expect(await service.ended).toBe(0);
    },
  );

  test('a request that does not end is given up after SHUTDOWN_SECONDS', async () => {
    const service = start({ SHUTDOWN_SECONDS: '1' });
    const stuck = await open(await listening(service));
    stuck.on('error', () => {});
    stuck.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n');
    await sleep(50);
    const began = Date.now();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(Date.now() - began).toBeGreaterThan(900);
  });

  test('a second signal ends it at once', async () => {
    const service = start({ SHUTDOWN_SECONDS: '60' });
    const stuck = await open(await listening(service));
    stuck.on('error', () => {});
    stuck.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n');
    await sleep(50);
    service.child.kill('SIGTERM');
    await sleep(200);
    expect(service.child.exitCode).toBeNull();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(1);
  });
});
