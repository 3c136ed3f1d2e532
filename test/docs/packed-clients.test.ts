import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OF_EVERY_PROCESS } from '../support/environment.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';
import { ROOT } from './folders.ts';

/** The clients of docs/clients against a running service, behind one that refuses every third call for a moment. */

const run = promisify(execFile);
const folder = temporaryFolder();
const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;

let service: OwnSubject;
let limit: Server;
let calls = 0;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await serveSharedFixture();
  limit = createServer(async (request, response) => {
    calls += 1;
    if (calls % 3 === 1) return void response.writeHead(429, { 'Retry-After': '0' }).end('{}');
    const headers = { authorization: request.headers.authorization ?? '' };
    const answer = await fetch(service.url + request.url, { headers });
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => limit.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(limit.address() as AddressInfo).port}`;
  environment = { ...OF_EVERY_PROCESS, API: address, KEY: service.key, SECRET };
});
afterAll(() => {
  limit.close();
  folder.remove();
});

/** What both programs print: all units, Bavaria by the interface, what has changed since, and a refusal. */
async function expected() {
  const all = (await service.get('/v1/units?limit=1')).json.meta.page.total;
  const bavaria = (await service.get('/v1/units?bundesland=Bayern&limit=1')).json.meta.page.total;
  return { all, bavaria, changed: 0, gone: 0, token: true, refused: '400 UNKNOWN_PARAMETER' };
}

describe('TypeScript', () => {
  const PROGRAM = `
    import { changes, createClient, Problem, units, unitPages, verifyWebhook, type UnitsQuery } from 'energy-assets-client';

    const { API = '', KEY = '', SECRET = '', BODY = '', STAMP = '', SIGNATURE = '' } = process.env;
    const client = createClient({ baseUrl: API, key: KEY });
    let [all, bavaria, changed, gone] = [0, 0, 0, 0];
    let token: string | null = null;
    for await (const page of changes(client, null, { limit: 10 })) {
      all += page.changed.length;
      token = page.token;
    }
    for await (const { mastrNummer, bundesland } of units(client, { bundesland: ['Bayern'], limit: 10 })) {
      if (bundesland === 'Bayern' && mastrNummer.startsWith('SEE')) bavaria += 1;
    }
    for await (const page of changes(client, token)) {
      changed += page.changed.length;
      gone += page.gone.length;
      token = page.token;
    }
    // @ts-expect-error The compiler refuses it, and so does the service.
    const mistyped: UnitsQuery = { bundeslnd: ['Bayern'] };
    const refused = await unitPages(client, mistyped).next().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return error.status + ' ' + error.code;
    });
    let sent = '';
    const telling = createClient({
      baseUrl: 'http://service.example',
      key: KEY,
      fetch: async ({ url }) => {
        sent = new URL(url).search;
        return Response.json({ data: [], meta: { page: { cursor: null } } });
      },
    });
    await unitPages(telling, { hauptbrennstoff: ['a, "b"', 'c'], limit: 10 }).next();
    const body = new TextEncoder().encode(BODY);
    const delivery = (signature: string) =>
      new Headers({ 'webhook-id': 'one', 'webhook-timestamp': STAMP, 'webhook-signature': signature });
    const genuine = await verifyWebhook(delivery('v1,AAAA ' + SIGNATURE), body, SECRET);
    const others = [
      await verifyWebhook(delivery(SIGNATURE), new TextEncoder().encode(BODY + ' '), SECRET),
      await verifyWebhook(delivery('v1,????'), body, SECRET),
      await verifyWebhook(delivery(SIGNATURE), body, SECRET, new Date(Date.now() + 400_000)),
    ];
    const number: string | undefined = genuine?.data.matches[0]?.mastrNummer;
    console.log(JSON.stringify({ all, bavaria, changed, gone, token: token !== null, refused, number, others, sent }));`;

  test('is packed, checks what it is asked by the compiler, pages, waits, follows changes, verifies deliveries', async () => {
    const packed = await run(process.execPath, [join(ROOT, 'api/client/pack.ts'), folder.path], {
      cwd: ROOT,
    });
    expect(packed.stdout).toBe(`Packed ${join(folder.path, 'energy-assets-client-0.1.0.tgz')}\n`);
    const modules = join(folder.path, 'node_modules');
    mkdirSync(join(modules, 'energy-assets-client'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules/openapi-fetch'), join(modules, 'openapi-fetch'));
    execFileSync('tar', [
      ...['xzf', join(folder.path, 'energy-assets-client-0.1.0.tgz'), '--strip-components=1'],
      ...['-C', join(modules, 'energy-assets-client')],
    ]);
    writeFileSync(join(folder.path, 'program.ts'), PROGRAM);
    writeFileSync(join(folder.path, 'package.json'), '{"type": "module"}');
    const options = { strict: true, target: 'es2023', module: 'nodenext', moduleResolution: 'nodenext' };
    const compilerOptions = { ...options, types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    await run(join(ROOT, 'test/docs/clients/node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder.path });
    const [body, stamp] = [
      '{"data":{"matches":[{"mastrNummer":"SEE900000000001"}]}}',
      String(Math.floor(Date.now() / 1000)),
    ];
    const hmac = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64')).update(`one.${stamp}.${body}`);
    const env = { ...environment, BODY: body, STAMP: stamp, SIGNATURE: `v1,${hmac.digest('base64')}` };
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder.path, env });
    expect(JSON.parse(stdout)).toEqual({
      ...(await expected()),
      number: 'SEE900000000001',
      others: [null, null, null],
      sent: `?${new URLSearchParams([
        ['hauptbrennstoff', '"a, ""b"""'],
        ['hauptbrennstoff', 'c'],
        ['limit', '10'],
      ])}`,
    });
    expect(calls).toBeGreaterThan(6);
  });
});

test('an installation without what only development needs says how the TypeScript client is packed', () => {
  const bare = temporaryFolder();
  for (const name of ['api', 'runtime', 'package.json']) symlinkSync(join(ROOT, name), join(bare.path, name));
  const words = ['--preserve-symlinks-main', join(bare.path, 'api/client/pack.ts'), bare.path];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  bare.remove();
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^The client .*: run `npm ci`\n$/) });
});

const hasPandas = (() => {
  try {
    execFileSync('python3', ['-c', 'import pandas'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasPandas)('Python (skipped where python3 with pandas is not installed)', () => {
  const PROGRAM = `
import json, os
from energy_assets import EnergyAssets, Problem
assets = EnergyAssets(os.environ["API"], os.environ["KEY"])
everything = assets.frame("/v1/units", limit=10)
bavaria = assets.frame("/v1/units", bundesland=["Bayern"], limit=10)
assert set(bavaria["bundesland"]) == {"Bayern"} and bavaria["plz"].map(type).eq(str).all()
groups = assets.frame("/v1/aggregations", groupBy="bundesland")
assert groups.attrs["meta"] and "Bayern" in set(groups["key"])
changes = assets.changes(everything.attrs["meta"]["sync"]["token"])
try:
    assets.get("/v1/units", bundeslnd="Bayern")
except Problem as problem:
    refused = f"{problem.status} {problem.code}"
print(json.dumps({"all": len(everything), "bavaria": len(bavaria), "changed": len(changes.rows), "gone": len(changes.gone),
                  "token": isinstance(changes.token, str), "refused": refused}))`;

  test('reads lists into frames, waits, follows changes', async () => {
    cpSync(join(ROOT, 'docs/clients/python/energy_assets.py'), join(folder.path, 'energy_assets.py'));
    const { stdout } = await run('python3', ['-c', PROGRAM], { cwd: folder.path, env: environment });
    expect(JSON.parse(stdout)).toEqual(await expected());
  });
});
