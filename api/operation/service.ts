import type { IncomingMessage } from 'node:http';
import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { ApiKeyText } from '../../sql/org/api-key.ts';
import type { Keyring } from '../../sql/org/encryption.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { KeyHolder } from '../access/api-key-cache.ts';
import type { AppSession } from '../access/app-session.ts';
import type { AuthFailureLimiter } from '../access/auth-failure-limiter.ts';
import type { Downloads } from '../access/downloads.ts';
import type { PortalLinks } from '../access/portal-links.ts';
import type { RateLimiter } from '../access/rate-limiter.ts';
import type { SessionBudgets } from '../access/session-budgets.ts';
import type { ShareLinks } from '../access/share-links.ts';
import type { Unsubscriptions } from '../access/unsubscriptions.ts';
import type { WithoutOwnTexts } from '../access/without-own-texts.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Health } from '../probe/health-probe.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { AddressPolicy } from '../webhooks/delivery/address.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import type { CursorSigner } from '../wire/paging.ts';
import type { SyncTokenSigner } from '../wire/sync-token.ts';

/** The parts of the service, which all requests share. */
export interface Service {
  /** Their addresses are those under which the service is really reached, also with PORT=0. */
  readonly settings: Settings;
  readonly log: Logger;
  readonly warehouse: Warehouse;
  /** Answers that may be given again. */
  readonly answers: AnswerCache;
  readonly store: OrgStore;
  readonly withoutOwnTexts: WithoutOwnTexts;
  readonly cursors: CursorSigner;
  /** For lists whose sort keys are personal: what such a cursor holds cannot be read. */
  readonly sealedCursors: CursorSigner;
  /** Keys of what the store keeps encrypted. */
  readonly keyring: Keyring;
  /** Decides which addresses deliveries may be sent to. */
  readonly webhookAddresses: AddressPolicy;
  readonly syncTokens: SyncTokenSigner;
  /** Finds out whose key it is. */
  readonly apiKeys: (key: ApiKeyText) => Promise<KeyHolder>;
  /** Finds out the network that a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly appSession: AppSession;
  readonly authFailures: AuthFailureLimiter;
  readonly portalLinks: PortalLinks;
  readonly shareLinks: ShareLinks;
  readonly unsubscriptions: Unsubscriptions;
  readonly rateLimiter: RateLimiter;
  readonly sessionBudgets: SessionBudgets;
  readonly audit: AuditRecorder;
  readonly health: () => Promise<Health>;
  readonly downloads: Downloads;
  readonly metrics: Metrics;
  /** Delivers events. Whoever stores one, or makes a delivery due, wakes it after the commit. */
  readonly webhooks: Dispatcher;
  /** True from the first signal to stop on: connections are closed after their answer. */
  stopping: boolean;
}
