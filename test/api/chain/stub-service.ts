import { pino } from 'pino';
import { appSession } from '../../../api/access/app-session.ts';
import { authFailureLimiter } from '../../../api/access/auth-failure-limiter.ts';
import { portalLinks } from '../../../api/access/portal-links.ts';
import { sessionBudgets } from '../../../api/access/session-budgets.ts';
import { shareLinks } from '../../../api/access/share-links.ts';
import { unsubscriptions } from '../../../api/access/unsubscriptions.ts';
import { openMetrics } from '../../../api/metrics/metrics.ts';
import type { Service } from '../../../api/operation/service.ts';
import { dispatchNothing } from '../../../api/webhooks/delivery/dispatcher.ts';
import { cursorSigner, sealingCursorSigner } from '../../../api/wire/paging.ts';
import { syncTokenSigner } from '../../../api/wire/sync-token.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { NO_WAREHOUSE } from '../../support/no-warehouse.ts';

/** Fails when a test calls it: what it stands for is not to be asked. */
const notCalled = () => Promise.reject(new Error('not called'));

const SILENT = pino({ level: 'silent' });

const authFailures = authFailureLimiter(1_000, SILENT);

/** A service that has settings and serves no dataset; everything else fails when it is called. */
export const stubService = (members: Partial<Service> = {}): Service => ({
  settings: readSettings({}),
  log: SILENT,
  warehouse: NO_WAREHOUSE,
  answers: { isOn: false, has: () => false, answer: notCalled, size: () => ({ answers: 0, bytes: 0 }) },
  cursors: cursorSigner('k'),
  appSession: appSession('k', 'http://127.0.0.1/'),
  sessionBudgets: sessionBudgets(10_000),
  sealedCursors: sealingCursorSigner('k'),
  keyring: { keys: () => [] },
  webhookAddresses: { refusalOf: notCalled, resolve: notCalled },
  webhooks: dispatchNothing,
  syncTokens: syncTokenSigner('k'),
  health: notCalled,
  store: {
    exclusive: true,
    place: '',
    asOrganisation: notCalled,
    asOperator: notCalled,
    autocommit: notCalled,
    migrate: notCalled,
    isNew: notCalled,
    backup: notCalled,
    restore: notCalled,
    restores: () => 0,
    changes: () => 0,
    pools: () => [],
    close: notCalled,
  },
  withoutOwnTexts: notCalled,
  apiKeys: notCalled,
  portalLinks: portalLinks('k', { autocommit: notCalled }),
  shareLinks: shareLinks('k', { autocommit: notCalled, asOperator: notCalled }, 240, authFailures, SILENT),
  unsubscriptions: unsubscriptions('k'),
  rateLimiter: { take: notCalled, month: notCalled, waiting: () => 0, close: notCalled },
  audit: { soon() {}, now: notCalled, succeeds: () => true, waiting: () => 0, close: notCalled },
  addressOf: () => '',
  authFailures,
  downloads: { begin: notCalled },
  metrics: openMetrics(),
  stopping: false,
  ...members,
});
