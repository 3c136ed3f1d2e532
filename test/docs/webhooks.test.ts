import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressPolicy } from '../../api/webhooks/delivery/address.ts';
import { type Message, send } from '../../api/webhooks/delivery/send.ts';
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
  body: JSON.stringify({ eventId: id, type: 'alert.triggered', occurredAt: '2026-11-02T08:00:00.000Z', data: { text } }),
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
  ['docs/webhooks/receiver.mjs', 'javascript', process.execPath],
  ['docs/webhooks/receiver.py', 'python', 'python3'],
])('%s', (file, language, command) => {
  const path = join(ROOT, file);
  const secret = newSecret();
  const addresses = addressPolicy(readSettings({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }));
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: { child: ChildProcess; url: string };
  let proxy: { url: string; stop(): Promise<void> };

  /** Starts it on a free port. */
  async function start(): Promise<typeof receiver> {
    const child = spawn(command, [path], {
      env: { ...OF_EVERY_PROCESS, WEBHOOK_SECRET: secret, PORT: '0', EVENTS_FILE: join(folder.path, 'events.jsonl') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const piece of child.stdout) {
      output += piece;
      const url = /^Listening on (\S+)$/m.exec(output)?.[1];
      if (url !== undefined) return { child, url };
    }
    throw new Error(`${file} ended before it listened`);
  }

  async function end(): Promise<void> {
    const closed = once(receiver.child, 'exit');
    receiver.child.kill();
    await closed;
  }

  /** Ends TLS in front of it, as the page tells integrators to. */
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

  const isMissing = !hasInterpreter(command);
  beforeEach(async ({ skip }) => {
    skip(isMissing, `there is no ${command} here`);
    folder = temporaryFolder();
    receiver = await start();
    proxy = await startProxy();
  });
  afterEach(async () => {
    if (isMissing) return;
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

  function kept(): unknown[] {
    const events = join(folder.path, 'events.jsonl');
    if (!existsSync(events)) return [];
    const lines = readFileSync(events, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  test('keeps each delivery once, also after a restart', async () => {
    const [first, second] = [eventOf('evt_1'), eventOf('evt_2')];
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
    const { id, body } = eventOf('evt_1');
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
    expect(await deliver({ id: 'evt_1', body: 'no JSON', secrets: [secret] })).toBe(500);
    expect(await deliver({ ...eventOf('evt_1'), secrets: [secret] })).toBe(204);
  });

  test('stands on the page as it is', () => {
    const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
    expect([...page.matchAll(block)].map(([, text]) => text)).toContain(readFileSync(path, 'utf8'));
  });
});
