import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { send } from '../../../../api/webhooks/delivery/send.ts';
import { newAuthority, selfSigned } from '../../../support/certificates.ts';
import { testAuthority } from '../../../support/receiver.ts';
import { startRoughReceiver } from '../../../support/rough-receiver.ts';
import {
  addresses,
  answered,
  every,
  failed,
  HURRIED_MS,
  MESSAGE,
  type RoughBehaviour,
  sendRoughly,
  timedOut,
} from './sending.ts';

/** Attempts between the connection and the first answer: TLS, and receivers that do not speak it. */

describe('on the way to HTTP, a receiver that', () => {
  test.each([
    ['accepts and is silent', null, () => {}],
    ['begins TLS and stops', null, (socket: Socket) => socket.write(Buffer.of(0x16, 3, 3, 0x40, 0))],
    ['trickles TLS', null, tricklingBytes],
  ] as const)('%s has as long as the attempt', async (_what, certificate, onConnection: RoughBehaviour) => {
    expect(await sendRoughly(certificate, onConnection, HURRIED_MS)).toEqual(timedOut('agreeing on TLS'));
  });

  test.each([
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['speaks HTTP without TLS', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    ['speaks something else', (socket) => socket.end('220 mail.example.org ESMTP\r\n')],
  ] as [string, RoughBehaviour][])('%s has not answered', async (_what, onConnection) => {
    expect(await sendRoughly(null, onConnection)).toEqual(failed(/^While (connecting|agreeing on TLS): ./));
  });

  test('closes after TLS has not answered', async () => {
    const result = await sendRoughly(testAuthority().issue(['127.0.0.1']), (socket) => socket.destroy());
    expect(result).toEqual(failed(/^While (sending the request|waiting for the answer): ./));
  });

  test('answers before it reads the request has answered', async () => {
    let connection: Socket | undefined;
    const rough = await startRoughReceiver(testAuthority().issue(['127.0.0.1']), (socket) => {
      connection = socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
    });
    // More than the buffers of both sides hold.
    const body = 'x'.repeat(20_000_000);
    expect(await send({ ...MESSAGE, body, url: rough.url }, { addresses })).toEqual(answered(413, 'no'));
    connection?.resume();
    await rough.idle();
    await rough.stop();
  });
});

describe('a certificate', () => {
  const DAY_MS = 24 * 3600 * 1000;
  const day = (days: number): Date => new Date(Date.now() + days * DAY_MS);

  test.each([
    ['that is over', () => testAuthority().issue(['127.0.0.1'], { from: day(-2), until: day(-1) }), /CERT_HAS_EXPIRED/],
    ['of tomorrow', () => testAuthority().issue(['127.0.0.1'], { from: day(1), until: day(2) }), /CERT_NOT_YET_VALID/],
    ['of another host', () => testAuthority().issue(['127.0.0.2', 'localhost']), /ERR_TLS_CERT_ALTNAME_INVALID/],
    ['signed by itself', () => selfSigned(['127.0.0.1']), /DEPTH_ZERO_SELF_SIGNED_CERT/],
    ['of an unknown authority', () => newAuthority().issue(['127.0.0.1']), /UNABLE_TO_VERIFY_LEAF_SIGNATURE/],
    [
      'that uses the name of the authority',
      () => newAuthority(testAuthority().name).issue(['127.0.0.1']),
      /CERT_SIGNATURE_FAILURE|UNABLE_TO_/,
    ],
  ])('%s is refused, and nothing is sent', async (_what, certificate, error) => {
    const received: string[] = [];
    const result = await sendRoughly(certificate(), (socket) => socket.on('data', (data) => received.push(`${data}`)));
    expect(result).toEqual(failed(error));
    expect(received).toEqual([]);
  });
});

function tricklingBytes(socket: Socket): void {
  socket.write(Buffer.of(0x16, 3, 3, 0x40, 0));
  every(socket, '\0');
}
