import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressPolicy } from '../../api/webhooks/delivery/address.ts';
import { SCHEDULE } from '../../api/webhooks/delivery/schedule.ts';
import { MAX_ANSWER_BYTES, type Message, send, TIMEOUT_MS } from '../../api/webhooks/delivery/send.ts';
import { signatureHeaders } from '../../api/webhooks/delivery/signature.ts';
import { readSettings } from '../../runtime/settings.ts';
import { OF_EVERY_PROCESS } from '../support/environment.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { testAuthority } from '../support/receiver.ts';
import { ROOT } from './folders.ts';

/** The receivers of docs/webhooks.md run, and take exactly what the service has sent. */

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const eventOf = (id: string, text = 'Görlitz'): Omit<Message, 'secrets' | 'url'> => ({
  id,
  body: JSON.stringify({
    eventId: id,
    type: 'alert.triggered',
    occurredAt: '2026-11-02T08:00:00.000Z',
    data: { text },
  }),
});

function hasInterpreter(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');

describe.each([
  ['docs/webhooks/receiver.mjs', process.execPath],
  ['docs/webhooks/receiver.py', 'python3'],
])('%s', (file, command) => {
  const path = join(ROOT, file);
  const secret = newSecret();
  const addresses = addressPolicy(readSettings({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }));
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: { child: ChildProcess; url: string };
  let proxy: { url: string; stop(): Promise<void> };

  /** Starts the receiver on a free port. */
  async function start(): Promise<typeof receiver> {
    const child = spawn(command, [path], {
      env: { ...OF_EVERY_PROCESS, WEBHOOK_SECRET: secret, PORT: '0', EVENTS_FILE: join(folder.path, 'events.jsonl') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
        const found = /^Listening on (\S+)$/m.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', () => reject(new Error(`${file} ended before it listened`)));
    });
    return { child, url };
  }

  async function end(): Promise<void> {
    const closed = once(receiver.child, 'exit');
    receiver.child.kill();
    await closed;
  }

  /** Ends TLS in front of the receiver, as the page tells integrators to. */
  async function startProxy(): Promise<typeof proxy> {
    const server = createServer(testAuthority().issue(['127.0.0.1']), (socket) => {
      const inside = connect(Number(new URL(receiver.url).port), '127.0.0.1');
      socket.pipe(inside).pipe(socket);
      socket.on('error', () => inside.destroy());
      inside.on('error', () => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      async stop() {
        server.close();
        await once(server, 'close');
      },
    };
  }

  const canRun = hasInterpreter(command);
  beforeAll(async () => {
    if (!canRun) return;
    folder = temporaryFolder();
    receiver = await start();
    proxy = await startProxy();
  });
  beforeEach(({ skip }) => skip(!canRun, `there is no ${command} here`));
  afterAll(async () => {
    if (!canRun) return;
    await end();
    await proxy.stop();
    folder.remove();
  });

  const deliver = async (message: Omit<Message, 'url'>): Promise<number | string> => {
    const result = await send({ ...message, url: proxy.url }, { addresses });
    return 'status' in result ? result.status : result.error;
  };

  /** Posts headers and a body as a forger would, past the service. */
  const forge = async (headers: object, body: string): Promise<number> => {
    const { status } = await fetch(receiver.url, { method: 'POST', headers: { ...headers }, body });
    return status;
  };

  /** The deliveries that the receiver's file has gained since the last look. */
  let looked = 0;
  function kept(): unknown[] {
    const events = join(folder.path, 'events.jsonl');
    if (!existsSync(events)) return [];
    const lines = readFileSync(events, 'utf8').split('\n').filter(Boolean);
    const fresh = lines.slice(looked);
    looked = lines.length;
    return fresh.map((line) => JSON.parse(line));
  }

  test('keeps each delivery once, also after a restart', async () => {
    const [first, second] = [eventOf('evt_first'), eventOf('evt_second')];
    for (const message of [first, second, first]) expect(await deliver({ ...message, secrets: [secret] })).toBe(204);
    await end();
    receiver = await start();
    expect(await deliver({ ...second, secrets: [secret] })).toBe(204);
    expect(kept()).toEqual([first, second].map(({ id, body }) => ({ id, event: JSON.parse(body) })));
  });

  test('takes deliveries while the secret is being rotated, whether it has the old one or the new one', async () => {
    expect(await deliver({ ...eventOf('evt_old'), secrets: [newSecret(), secret] })).toBe(204);
    expect(await deliver({ ...eventOf('evt_new'), secrets: [secret, newSecret()] })).toBe(204);
    expect(kept()).toHaveLength(2);
  });

  test('refuses what is not genuine, and keeps nothing of it', async () => {
    const { id, body } = eventOf('evt_forged');
    const now = new Date();
    const genuine = signatureHeaders({ id, body, secrets: [secret] }, now);
    const statuses = [
      await deliver({ id, body, secrets: [newSecret()] }),
      await forge({}, body),
      await forge(genuine, body.replace('Görlitz', 'Zittau')),
      await forge({ ...genuine, 'webhook-id': 'evt_2' }, body),
      await forge({ ...genuine, 'webhook-timestamp': String(Number(genuine['webhook-timestamp']) + 1) }, body),
      await forge({ ...genuine, 'webhook-signature': genuine['webhook-signature'].replace('v1,', 'v2,') }, body),
      await forge({ ...genuine, 'webhook-signature': 'v1,' }, body),
      await forge({ ...genuine, 'webhook-timestamp': 'now' }, body),
      ...(await Promise.all(
        [-301, 301].map((seconds) => {
          const then = new Date(now.getTime() + seconds * 1000 + Math.sign(seconds) * 5000);
          return forge(signatureHeaders({ id, body, secrets: [secret] }, then), body);
        }),
      )),
    ];
    expect(statuses).toEqual(statuses.map(() => 401));
    expect(kept()).toEqual([]);
    expect(await forge(genuine, body)).toBe(204);
  });

  test('answers 500 when it cannot keep a delivery, so that it comes again', async () => {
    expect(await deliver({ id: 'evt_broken', body: 'no JSON', secrets: [secret] })).toBe(500);
    expect(await deliver({ ...eventOf('evt_broken'), secrets: [secret] })).toBe(204);
  });
});

test.each([
  ['javascript', 'receiver.mjs'],
  ['python', 'receiver.py'],
])('the page shows the receiver in %s as it is', (language, file) => {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  const text = readFileSync(join(ROOT, 'docs/webhooks', file), 'utf8');
  expect([...blocks].map(([, shown]) => shown)).toEqual([text]);
});

test('the page has the schedule of retries', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| (?:at once|(\d+) (seconds|minutes|hours)) \|$/gm)];
  const milliseconds = { seconds: 1000, minutes: 60_000, hours: 3_600_000 };
  const pauses = rows.map(([, , count = 0, unit = 'seconds']) => Number(count) * milliseconds[unit as 'seconds']);
  expect(pauses).toEqual(SCHEDULE);
  expect(rows.map(([, attempt]) => Number(attempt))).toEqual(SCHEDULE.map((_, index) => index + 1));
});

test('the page has the bounds of an attempt', () => {
  expect(page).toContain(`An attempt has ${TIMEOUT_MS / 1000} seconds,`);
  expect(page).toContain(`Of the answer ${MAX_ANSWER_BYTES / 1024} KiB are read`);
});
