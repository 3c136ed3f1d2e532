import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressPolicy } from '../../../../api/webhooks/delivery/address.ts';
import { send } from '../../../../api/webhooks/delivery/send.ts';
import { readSettings } from '../../../../runtime/settings.ts';
import { startNode } from '../../../support/node-process.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';

/** Attempts that need a process of their own: with variables that change Node's clients, and with a receiver that is stuck. */

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

/** Sends and fetches in a process of its own. */
async function sendOnce(environment: NodeJS.ProcessEnv) {
  const child = startNode(new URL('send-once.ts', import.meta.url), [`${receiver.url}/hook`], {
    WEBHOOK_ALLOWED_HOSTS: receiver.host,
    ...environment,
  });
  if (child.stdout === null || child.stderr === null) throw new Error('The process has no output');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(errors);
  return JSON.parse(output);
}

test('the authority of NODE_EXTRA_CA_CERTS is trusted', async () => {
  const { sent } = await sendOnce({ NODE_EXTRA_CA_CERTS: receiver.authorityFile });
  expect(sent).toMatchObject({ status: 204 });
});

test('certificates are verified although NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
  const { sent, fetched } = await sendOnce({ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' });
  expect(sent).toMatchObject({
    error: expect.stringMatching(/\((UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)\)$/),
  });
  expect(fetched).toBe(204);
});

test('proxies of the environment are not used', async () => {
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      asked.push(data.toString().split('\r\n')[0] ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
  const { sent, fetched } = await sendOnce({
    NODE_EXTRA_CA_CERTS: receiver.authorityFile,
    NODE_USE_ENV_PROXY: '1',
    ...Object.fromEntries(names.map((name) => [name, address])),
  });
  proxy.close();
  expect(sent).toMatchObject({ status: 204 });
  // The only question came from `fetch`, which heeds these variables.
  expect(fetched).toBe('failed');
  expect(asked).toEqual([`CONNECT ${receiver.host} HTTP/1.1`]);
});

test('a receiver that accepts no connection has as long as the attempt', async () => {
  // The receiver listens and does nothing more: its queue takes one or two connections, and the system lets all others wait.
  const stuck = spawn(process.execPath, [
    '-e',
    `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       require('node:fs').writeSync(1, String(server.address().port));
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
  ]);
  const [port] = await once(stuck.stdout, 'data');
  const message = { id: 'evt_1', body: '{}', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] };
  const addresses = addressPolicy(readSettings({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }));
  const results = await Promise.all(
    Array.from({ length: 8 }, () =>
      send({ ...message, url: `https://127.0.0.1:${port}/` }, { addresses, timeoutMs: 200 }),
    ),
  );
  const gone = once(stuck, 'exit');
  stuck.kill('SIGKILL');
  await gone;
  const errors = results.map((result) => ('error' in result ? result.error : result.status));
  expect(errors).toContain('While connecting: 0.2 seconds were over');
  expect(new Set(errors.map((error) => String(error).replace('agreeing on TLS', 'connecting'))).size).toBe(1);
});
