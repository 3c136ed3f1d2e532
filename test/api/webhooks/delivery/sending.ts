import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { addressPolicy } from '../../../../api/webhooks/delivery/address.ts';
import { type SendResult, send } from '../../../../api/webhooks/delivery/send.ts';
import { readSettings } from '../../../../runtime/settings.ts';
import { type RoughReceiver, startRoughReceiver } from '../../../support/rough-receiver.ts';

/** Messages to receivers on this machine for tests of sending, and the shapes of results. */

export const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];

export const MESSAGE = { id: 'evt_1', body: '{"ort":"Görlitz"}', secrets: SECRETS };

/** Long enough for an answer that comes, short enough to wait for one that does not. */
export const PATIENT_MS = 10_000;
export const HURRIED_MS = 150;

export const addresses = addressPolicy(readSettings({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1,localhost' }));

export const answered = (status: number, answer = '', retryAfterMs: number | null = null) => ({
  ms: expect.any(Number),
  status,
  retryAfterMs,
  answer,
});

export const failed = (error: string | RegExp) => ({
  ms: expect.any(Number),
  error: typeof error === 'string' ? error : expect.stringMatching(error),
});

export const timedOut = (stage: string) => failed(`While ${stage}: ${HURRIED_MS / 1000} seconds were over`);

export type RoughBehaviour = (socket: Socket) => void;

/** Sends to a receiver that speaks no HTTP of its own, and waits until no connection is left. */
export async function sendRoughly(
  certificate: Parameters<typeof startRoughReceiver>[0],
  onConnection: RoughBehaviour,
  timeoutMs = PATIENT_MS,
): Promise<SendResult> {
  const rough: RoughReceiver = await startRoughReceiver(certificate, onConnection);
  try {
    const result = await send({ ...MESSAGE, url: rough.url }, { addresses, timeoutMs });
    await rough.idle();
    return result;
  } finally {
    await rough.stop();
  }
}

export function every(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 10);
  socket.once('close', () => clearInterval(timer));
}
