import type { Settings } from '../../runtime/settings.ts';
import type { Progress } from '../run/progress.ts';
import type { FetchPolicy } from './request.ts';

const IDLE_TIMEOUT_MS = 60_000;

/** The fetch policy of the settings. */
export function fetchPolicyOf(settings: Settings, progress: Progress, signal: AbortSignal): FetchPolicy {
  const contact = settings.EXPORT_CONTACT ?? 'no contact was set';
  return {
    userAgent: `energy-asset-data-service (${contact})`,
    attempts: settings.FETCH_ATTEMPTS,
    pauseMs: settings.FETCH_PAUSE_SECONDS * 1000,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    progress,
    signal,
  };
}
