import type { Settings } from '../../sql/settings.ts';
import type { Progress } from '../build/progress.ts';
import type { Manners } from './request.ts';

const SILENCE_MS = 60_000;

/** How the settings want the register to be treated. */
export function mannersOf(settings: Settings, progress: Progress, signal: AbortSignal): Manners {
  const contact = settings.EXPORT_CONTACT ?? 'no contact was set';
  return {
    userAgent: `energy-asset-data-service (${contact})`,
    attempts: settings.FETCH_ATTEMPTS,
    pauseMs: settings.FETCH_PAUSE_SECONDS * 1000,
    silenceMs: SILENCE_MS,
    progress,
    signal,
  };
}
