import { once } from 'node:events';
import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../runtime/settings.ts';
import { makeApiKey } from '../../sql/org/api-key.ts';
import { putKeys } from '../../sql/org/keys.ts';
import { type OrgStore, openOrgStore } from '../../sql/org/store.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { readExposition, reading } from '../api/metrics/exposition.ts';
import { asSuperuser, freshDatabase, onServer, POSTGRES_HERE, POSTGRES_SUITE } from '../support/database.ts';
import { putVersion, temporaryFolder } from '../support/fixture.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import { open } from '../support/raw-request.ts';
import { MAIN, type ServiceProcess, startProcess } from '../support/service-process.ts';
import { SILENT } from '../support/store-engines.ts';

/** A service of two processes over one warehouse and one Postgres server, seen from outside. */

const SHARE_OF_ADDRESS = 20;
const [OLD, NEW] = ['20260314-0001', '20260315-0002'] as const;
const UNITS = { [OLD]: 30, [NEW]: 31 };

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  readonly json: any;
  readonly sentAt: number;
  readonly requestId: string;
}

let addresses = 0;

/** A client with an address and one connection, which is one to the same process as long as that lives. */
function client(url: string) {
  const address = { 'X-Forwarded-For': `198.51.100.${++addresses}` };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
      const sentAt = Date.now();
      const request = httpGet(url + path, { agent, headers: { ...address, ...headers } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const body = await text(response);
      return {
        status: response.statusCode ?? 0,
        json: body.startsWith('{') ? JSON.parse(body) : undefined,
        sentAt,
        requestId: String(response.headers['x-request-id']),
      };
    },
    close: () => agent.destroy(),
  };
}

type Client = ReturnType<typeof client>;

const withKey = (key: string) => ({ Authorization: `Bearer ${key}` });

describe.runIf(POSTGRES_HERE)(`two processes on one ${POSTGRES_SUITE}`, () => {
  const folder = temporaryFolder();
  let database: string;
  let store: OrgStore;
  let service: ServiceProcess;
  let metricsUrl: string;
  const said: string[] = [];
  const clients: Client[] = [];

  /** Lines of the log that have this message, in order. */
  const logged = (message: string) =>
    said
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === message);

  /** The number of the process that answered. */
  async function workerOf({ requestId }: Answer): Promise<number> {
    const lines = () => logged('request').filter((line) => line.requestId === requestId);
    await expect.poll(lines).toHaveLength(1);
    return lines()[0].worker;
  }

  /** A client of each process; connections are handed out in turn. */
  async function clientsOfBoth(): Promise<[Client, Client]> {
    const found = new Map<number, Client>();
    while (found.size < 2) {
      const one = client(service.url);
      clients.push(one);
      found.set(await workerOf(await one.get('/v1/health')), one);
    }
    return [found.get(1)!, found.get(2)!];
  }

  /** The present process of each number. */
  const pids = () =>
    new Map<number, number>(logged('a process of the service listens').map(({ worker, pid }) => [worker, pid]));

  const metrics = async () => readExposition(await (await fetch(metricsUrl)).text());

  beforeAll(async () => {
    const units = (count: number) => `INSERT INTO units BY NAME
      SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId,
        1 AS bruttoleistungKw, DATE '2020-01-01' AS inbetriebnahmedatum, 1 AS region FROM range(${count}) AS zahlen(i)`;
    await putVersion(folder.path, OLD, [units(UNITS[OLD])]);
    await putVersion(folder.path, NEW, [
      units(UNITS[NEW]),
      `INSERT INTO vorgaenger BY NAME SELECT '${OLD}' AS version, 1 AS sequence, 1 AS anker`,
    ]);
    publish(folder.path, OLD, 'build', new Date(Date.now() - 3_600_000));
    database = await freshDatabase();
    service = await startProcess(
      MAIN,
      { state: folder.path, warehouse: folder.path, store: database },
      {
        WORKERS: '2',
        METRICS_PORT: '0',
        LOG_LEVEL: 'info',
        TRUSTED_PROXIES: '127.0.0.1',
        REFUSED_CALLS_PER_MINUTE: String(SHARE_OF_ADDRESS),
        SHUTDOWN_SECONDS: '600',
      },
      (output) => said.push(output),
    );
    metricsUrl = /Metrics at (\S+)/.exec(said.join(''))![1]!;
    store = await openOrgStore(readSettings({ ORG_STORE_URL: database }), SILENT);
  });
  afterEach(() => {
    for (const one of clients.splice(0)) one.close();
  });
  afterAll(async () => {
    service?.child.kill('SIGKILL');
    await store?.close();
    folder.remove();
  });

  /** Calls at once, every other one at the other process. */
  async function callBoth(count: number, path: string, key: string) {
    const both = await clientsOfBoth();
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => both[index % 2]!.get(path, withKey(key))),
    );
    const having = (status: number) => answers.filter((answer) => answer.status === status).length;
    return { passed: having(200), refused: having(429) };
  }

  test('both answer, and the log says which', async () => {
    const both = await clientsOfBoth();
    const answers = await Promise.all(both.map((one) => one.get('/v1/health')));
    expect(await Promise.all(answers.map(workerOf))).toEqual([1, 2]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a limit and a quota hold across both, to the last call', async () => {
    expect(await callBoth(60, '/v1/portfolio', await makeCaller(store, { limits: { standard: 20 } }))).toEqual({
      passed: 20,
      refused: 40,
    });
    expect(await callBoth(60, '/v1/units/fields', await makeCaller(store, { quota: 25 }))).toEqual({
      passed: 25,
      refused: 35,
    });
  });

  test('a key that is revoked is refused by both within a second', async () => {
    const organisation = await makeOrganisation(store);
    const { row, text: key } = await makeKey(store, organisation);
    const both = await clientsOfBoth();
    for (const one of both) expect((await one.get('/v1/me', withKey(key))).status).toBe(200);
    const revokedAt = new Date().toISOString();
    await store.asOperator((session) => session.run(putKeys(organisation.id, [{ ...row, revokedAt }])));
    const revoked = Date.now();
    const late = new Map<Client, Answer>();
    while (late.size < 2) {
      for (const one of both) {
        const answer = await one.get('/v1/me', withKey(key));
        if (answer.sentAt >= revoked + 1000) late.set(one, answer);
      }
      // More calls that are refused would be too many of their address.
      await sleep(120);
    }
    expect([...late.values()].map(({ status }) => status)).toEqual([401, 401]);
  });

  test('an address has no more calls without a valid key because two processes answer it', async () => {
    const both = await clientsOfBoth();
    const statuses: number[] = [];
    for (let call = 0; call < 2 * SHARE_OF_ADDRESS; call++) {
      const headers = { ...withKey(makeApiKey('test').text), 'X-Forwarded-For': '203.0.113.7' };
      statuses.push((await both[call % 2]!.get('/v1/me', headers)).status);
    }
    expect(statuses.slice(0, SHARE_OF_ADDRESS)).toEqual(Array.from({ length: SHARE_OF_ADDRESS }, () => 401));
    expect(statuses).toContain(429);
  });

  test('a sync token of a version that one has found is good at the other, and both come to serve it', async () => {
    const key = await makeCaller(store);
    const both = await clientsOfBoth();
    const read = (one: Client, query = '') => one.get(`/v1/units?limit=100${query}`, withKey(key));
    const before = await read(both[0]);
    expect(before.json.meta.page.total).toBe(UNITS[OLD]);
    publish(folder.path, NEW, 'build', new Date());
    let first: Answer;
    do first = await read(both[0]);
    while (first.json.meta.page.total === UNITS[OLD]);
    const delta = await read(both[1], `&syncToken=${first.json.meta.sync.token}`);
    expect(delta.status).toBe(200);
    expect(delta.json.data).toEqual([]);
    const since = await read(both[1], `&syncToken=${before.json.meta.sync.token}`);
    expect(since.json.data.length).toBeGreaterThan(0);
    for (const one of both) expect((await read(one)).json.meta.page.total).toBe(UNITS[NEW]);
  });

  test('the metrics are those of both, and do not go back when one is killed, whose place another takes', async () => {
    const key = await makeCaller(store);
    const both = await clientsOfBoth();
    const count = async () =>
      reading(await metrics(), 'energy_http_request_duration_seconds_count', { operation: 'me.show', status: '2xx' })!;
    const before = await count();
    for (const one of both) for (let call = 0; call < 5; call++) await one.get('/v1/me', withKey(key));
    await expect.poll(count).toBe(before + 10);
    expect(reading(await metrics(), 'energy_service_processes')).toBe(2);

    const killed = pids().get(1)!;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => logged('a process of the service has ended; another one takes its place')).toHaveLength(1);
    expect((await both[1].get('/v1/me', withKey(key))).status).toBe(200);
    await expect.poll(() => pids().get(1)).not.toBe(killed);
    await expect.poll(count).toBe(before + 11);
    const families = await metrics();
    expect(reading(families, 'energy_service_processes')).toBe(2);
    expect(reading(families, 'energy_service_processes_replaced_total')).toBe(1);
    const again = await Promise.all((await clientsOfBoth()).map((one) => one.get('/v1/me', withKey(key))));
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('SIGTERM lets running requests end, and leaves nothing behind', async () => {
    const key = await makeCaller(store);
    const begun = await open(service.url);
    const head = [
      'POST /v1/units/search HTTP/1.1',
      'Host: x',
      `X-API-Key: ${key}`,
      'X-Forwarded-For: 203.0.113.8',
      'Content-Type: application/json',
      'Content-Length: 2',
      'Expect: 100-continue',
    ];
    begun.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(String((await once(begun, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /);
    // One of each process: both have heard of the signal when these are closed.
    const silent = await Promise.all([open(service.url), open(service.url)]);
    const closed = Promise.all(silent.map((socket) => once(socket, 'close')));
    const processes = [...pids().values()];
    service.child.kill('SIGTERM');
    await closed;
    begun.write('{}');
    const [answer] = await once(begun, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
    expect(await service.ended).toBeNull();
    expect(service.child.exitCode).toBe(0);
    for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow();
    await expect(fetch(service.url)).rejects.toThrow();
  });

  test('a port that is in use: one clear line', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as { port: number }).port);
    const places = { state: folder.path, warehouse: folder.path, store: database };
    const failure = await startProcess(MAIN, places, { WORKERS: '2', PORT: port }).catch(String);
    expect(failure).toBe(
      `Error: The service ended before it listened:\nCannot listen on 127.0.0.1 port ${port}: is already in use; set PORT to another one\n`,
    );
    other.close();
  });

  test('more processes than the server has connections for: one sentence says what to do', async () => {
    const guarded = await freshDatabase();
    const { username } = new URL(guarded);
    await onServer(asSuperuser(guarded), `ALTER ROLE ${username} CONNECTION LIMIT 10`);
    const places = { state: folder.path, warehouse: folder.path, store: guarded };
    await expect(startProcess(MAIN, places, { WORKERS: '2' })).rejects.toThrow(
      'WORKERS=2 need more connections than the 10 that the Postgres server allows this user and database. Raise',
    );
  });
});

test('over an embedded store: one sentence says what to do', async () => {
  const folder = temporaryFolder();
  const places = { state: folder.path, warehouse: folder.path, store: `pglite:${folder.path}/org` };
  await expect(startProcess(MAIN, places, { WORKERS: '2' })).rejects.toThrow(
    /WORKERS=2 needs the organisations on a Postgres server: those in a folder belong to one process\. Set ORG_STORE_URL=/,
  );
  folder.remove();
});
