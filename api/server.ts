import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '../runtime/log.ts';
import { maxOutgoingConnections } from '../runtime/open-file-limit.ts';
import { hostInAddress } from '../runtime/setting-schemas.ts';
import type { Settings } from '../runtime/settings.ts';
import type { OrgStore } from '../sql/org/store.ts';
import { clientAddress } from './access/address.ts';
import { apiKeyCache } from './access/api-key-cache.ts';
import { appSession } from './access/app-session.ts';
import { authFailureLimiter } from './access/auth-failure-limiter.ts';
import { boundedDownloads } from './access/downloads.ts';
import { onceAMinute } from './access/once-a-minute.ts';
import { openRateLimiter } from './access/open-rate-limiter.ts';
import { NO_PEERS, type Peers } from './access/peers.ts';
import { portalLinks } from './access/portal-links.ts';
import { sessionBudgets } from './access/session-budgets.ts';
import { shareLinks } from './access/share-links.ts';
import { unsubscriptions } from './access/unsubscriptions.ts';
import { withoutOwnTexts } from './access/without-own-texts.ts';
import { startEvaluator } from './alerts/evaluator.ts';
import { type MailPace, startMailer } from './alerts/mail/mailer.ts';
import { openSmtp } from './alerts/mail/smtp.ts';
import { answerCache } from './answers/answer-cache.ts';
import { auditRecorder } from './audit/recorder.ts';
import { answerBrokenRequest, answerTunnel } from './chain/broken-request.ts';
import { mount, type Steps } from './chain/router.ts';
import { openWarehouse } from './engines/open-warehouse.ts';
import { NO_JOBS, startJobs } from './jobs/jobs.ts';
import { registerGauges } from './metrics/gauges.ts';
import { listenForMetrics, type MetricsListener } from './metrics/listener.ts';
import { addProcessMetrics, type Metrics, openMetrics } from './metrics/metrics.ts';
import type { Service } from './operation/service.ts';
import { operationsOf } from './operations.ts';
import { healthProbe } from './probe/health-probe.ts';
import { openKeyring } from './secrets/encryption-keys.ts';
import { signingKey } from './secrets/signing-key.ts';
import { addressPolicy } from './webhooks/delivery/address.ts';
import {
  type Dispatcher,
  dispatchNothing,
  type Pace,
  placesWithin,
  startDispatcher,
} from './webhooks/delivery/dispatcher.ts';
import { send } from './webhooks/delivery/send.ts';
import { cursorSigner, sealingCursorSigner } from './wire/paging.ts';
import { syncTokenSigner } from './wire/sync-token.ts';

/** A service that listens. */
export interface RunningService {
  /** BASE_URL: the public address, without a slash at the end. */
  readonly url: string;
  /** The address of its metrics; null when METRICS_PORT is not set. */
  readonly metricsUrl: string | null;
  readonly webhooks: Dispatcher;
  /**
   * Takes no more requests, lets the running ones end within SHUTDOWN_SECONDS, writes what is not written yet, and
   * closes the warehouse. The caller closes the store.
   */
  close(): Promise<void>;
}

/** Parts that tests replace, and that a process does differently which is one of several (processes/worker.ts). */
export interface ServiceChoices {
  /** Default: all. */
  readonly steps?: Steps | undefined;
  /** Opens the warehouse of the settings. */
  readonly open?: typeof openWarehouse | undefined;
  /** Differences from the usual pace of deliveries; `off`: none are sent. */
  readonly pace?: Partial<Pace> | 'off' | undefined;
  /** Differences from the usual pace of e-mails. */
  readonly mailPace?: Partial<MailPace>;
  readonly metrics?: Metrics;
  /** False where another process runs the jobs. */
  readonly runsJobs?: boolean;
  /** Calls without a valid key at other processes count, too. */
  readonly peers?: Peers;
}

/**
 * Starts the service: opens the current dataset version, then listens. It also starts when none is published yet, and
 * answers 503 DATASET_NOT_READY until one is.
 * @param store with its tables up to date
 * @throws the listen error, e.g. EADDRINUSE
 */
export async function startService(
  settings: Settings,
  log: Logger,
  store: OrgStore,
  {
    steps,
    open = openWarehouse,
    pace = {},
    mailPace = {},
    metrics = openMetrics(),
    runsJobs = true,
    peers = NO_PEERS,
  }: ServiceChoices = {},
): Promise<RunningService> {
  const key = signingKey(settings);
  const cursors = cursorSigner(key);
  const warehouse = await open(settings, log, metrics);
  const server = createServer({
    maxHeaderSize: 32 * 1024,
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    // A missing host is answered by the chain, with a problem document.
    requireHostHeader: false,
  });
  server.maxConnections = settings.MAX_CONNECTIONS;
  // Processes that share a port would pass a connection round and round when none of them takes it.
  Object.assign(server, { dropMaxConnection: true });
  // The connection of a caller that reads its answer too slowly is closed.
  server.setTimeout(120_000);
  const sockets = openConnections(server);
  let metricsListener: MetricsListener | null = null;
  try {
    if (settings.METRICS_PORT !== null) {
      addProcessMetrics(metrics.registry);
      metricsListener = await listenForMetrics(metrics.registry, settings, settings.METRICS_PORT, log);
    }
    await listen(server, settings);
  } catch (error) {
    await metricsListener?.close();
    warehouse.close();
    throw error;
  }

  const audit = auditRecorder(store, log);
  const keyring = openKeyring(settings);
  const addresses = addressPolicy(settings);
  const webhooks =
    pace === 'off'
      ? dispatchNothing
      : startDispatcher(
          { store, keyring, log, metrics, send: (message, { signal }) => send(message, { addresses, signal }) },
          { places: placesWithin(maxOutgoingConnections()), ...pace },
        );
  const authFailures = authFailureLimiter(settings.REFUSED_CALLS_PER_MINUTE, log, peers);
  const service: Service = {
    settings: withRealPort(settings, (server.address() as AddressInfo).port),
    log,
    warehouse,
    answers: answerCache(settings.ANSWER_CACHE_MB * 1024 * 1024, metrics, warehouse.served),
    store,
    withoutOwnTexts: withoutOwnTexts(store),
    cursors,
    sealedCursors: sealingCursorSigner(key),
    keyring,
    webhookAddresses: addresses,
    syncTokens: syncTokenSigner(key),
    apiKeys: apiKeyCache(store),
    addressOf: clientAddress(settings.TRUSTED_PROXIES),
    authFailures,
    appSession: appSession(key, settings.BASE_URL),
    portalLinks: portalLinks(key, store),
    shareLinks: shareLinks(key, store, settings.SHARED_CALLS_PER_MINUTE, authFailures, log),
    unsubscriptions: unsubscriptions(key),
    rateLimiter: openRateLimiter(store, log),
    sessionBudgets: sessionBudgets(settings.SESSION_MS_PER_MINUTE),
    audit,
    health: healthProbe(warehouse, store, audit, log),
    downloads: boundedDownloads(),
    metrics,
    webhooks,
    stopping: false,
  };
  const isFirst = onceAMinute();
  server.on('drop', () => {
    metrics.connectionDropped();
    const { MAX_CONNECTIONS } = settings;
    if (isFirst('drop')) log.warn({ MAX_CONNECTIONS }, 'connections are closed as they come: there are too many');
  });
  const jobs = runsJobs ? startJobs(store, settings, log, metrics) : NO_JOBS;
  const evaluator = startEvaluator({
    ...service,
    eventsStored(count) {
      metrics.eventsStored('alert.triggered', count);
      webhooks.wake();
    },
  });
  const smtp = runsJobs && pace !== 'off' ? await openSmtp(service.settings) : null;
  const mailer = smtp === null ? null : startMailer({ ...service, smtp, pace: mailPace });
  registerGauges(metrics.registry, service);
  const listener = mount(operationsOf(settings), service, steps);
  server.on('request', listener);
  // An expectation other than 100-continue is ignored, as RFC 9110 (10.1.1) allows.
  server.on('checkExpectation', listener);
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, service));
  // A tunnel would be a connection to another server.
  server.on('connect', (_, socket) => answerTunnel(socket, service));

  return {
    url: service.settings.BASE_URL,
    metricsUrl: metricsListener?.url ?? null,
    webhooks,
    async close() {
      service.stopping = true;
      await Promise.all([
        evaluator.stop(),
        mailer?.stop(),
        closeServer(server, sockets, settings.SHUTDOWN_SECONDS),
        webhooks.stop(settings.SHUTDOWN_SECONDS * 1000),
      ]);
      await jobs.stop();
      await service.rateLimiter.close();
      await service.shareLinks.close();
      await service.audit.close();
      warehouse.close();
      await metricsListener?.close();
    },
  };
}

function listen(server: Server, { HOST, PORT }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Puts the port that the system has chosen for PORT=0 into the addresses that are derived from it. */
function withRealPort(settings: Settings, port: number): Settings {
  if (settings.PORT !== 0) return settings;
  const origin = `http://${hostInAddress(settings.HOST)}`;
  const [derived, real] = [`${origin}:0`, `${origin}:${port}`];
  const moved = (url: string) => (url === derived || url.startsWith(`${derived}/`) ? url.replace(derived, real) : url);
  return { ...settings, PORT: port, BASE_URL: moved(settings.BASE_URL), APP_URL: moved(settings.APP_URL) };
}

/** A connection may be silent this long when the service stops. */
const IDLE_TIMEOUT_MILLISECONDS = 250;

/** Keeps the set of open connections of a server. */
function openConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Closes idle connections at once, busy ones after their answer, the rest when the time is over. */
async function closeServer(server: Server, sockets: ReadonlySet<Socket>, seconds: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  // Node does not count a connection as idle that was opened ahead and has sent nothing; its first request may be under
  // way.
  const silence = setTimeout(() => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, IDLE_TIMEOUT_MILLISECONDS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(silence);
  clearTimeout(deadline);
}
