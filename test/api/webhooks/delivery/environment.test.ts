import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode } from '../../../support/node-process.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';

/** Variables that change what Node's clients do, and must not change what webhooks do. */

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
  // The one question is that of `fetch`, which heeds them.
  expect(fetched).toBe('failed');
  expect(asked).toEqual([`CONNECT ${receiver.host} HTTP/1.1`]);
});
