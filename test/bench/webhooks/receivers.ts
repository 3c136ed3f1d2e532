import { setTimeout as sleep } from 'node:timers/promises';
import {
  answering,
  type Behaviour,
  closing,
  endless,
  hanging,
  hangingInBody,
  lyingBy,
  redirectingTo,
  startReceiver,
  trickling,
} from '../../support/receiver.ts';
import { CROWD_ENDPOINTS, crowdPath, ENDPOINTS, type KindName } from './kinds.ts';

/**
 * The receivers of the soak in a process of their own, for as many organisations of the crowd as the argument says. The process
 * prints their address and authority, and answers the message `report` with what arrived.
 */

const SLOW_MS = 300;
const DOWN_MS = 30_000;

const began = Date.now();
const seen = new Set<string>();

const BEHAVIOURS: Readonly<Record<KindName, Behaviour>> = {
  healthy: answering(204),
  async slow(response) {
    await sleep(SLOW_MS);
    response.writeHead(200).end('danke');
  },
  flaky(response, delivery, request) {
    const id = String(delivery.headers['webhook-id']);
    answering(seen.has(id) ? 200 : 500, {}, 'beim nächsten Mal')(response, delivery, request);
    seen.add(id);
  },
  'down at first'(response, delivery, request) {
    (Date.now() - began < DOWN_MS ? answering(503) : answering(200))(response, delivery, request);
  },
  endless,
  failing: answering(500, {}, 'x'.repeat(2000)),
  hanging,
  'hanging in body': hangingInBody,
  trickling,
  redirecting: redirectingTo('https://127.0.0.1/elsewhere'),
  closing,
  lying: lyingBy(10),
};

/** The arrivals at every path: the time when each message arrived first, and the number of all. */
export interface Arrivals {
  readonly [path: string]: { readonly first: Readonly<Record<string, number>>; readonly count: number };
}

const receiver = await startReceiver();
const arrivals: Record<string, { first: Record<string, number>; count: number }> = {};
for (const { path, kind } of ENDPOINTS) {
  const own = { first: {} as Record<string, number>, count: 0 };
  arrivals[path] = own;
  receiver.behave(path, (response, delivery, request) => {
    own.count += 1;
    own.first[String(delivery.headers['webhook-id'])] ??= delivery.at;
    BEHAVIOURS[kind.name as KindName](response, delivery, request);
  });
}
const crowd = Number(process.argv[2]);
for (let organisation = 0; organisation < crowd; organisation++) {
  for (let endpoint = 0; endpoint < CROWD_ENDPOINTS; endpoint++)
    receiver.behave(crowdPath(organisation, endpoint), hanging);
}
// The arrivals are summed up above; the texts themselves would fill the memory.
setInterval(() => (receiver.deliveries as unknown[]).splice(0), 1_000).unref();

process.stdout.write(
  `${JSON.stringify({ url: receiver.url, host: receiver.host, authorityFile: receiver.authorityFile })}\n`,
);
process.on('message', () => process.send?.(arrivals satisfies Arrivals));
const end = async (): Promise<void> => {
  await receiver.stop();
  process.exit(0);
};
process.once('SIGTERM', end);
process.once('disconnect', end);
