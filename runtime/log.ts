import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * Opens the log on standard error: JSON lines, or readable text on a terminal. What makes it readable is loaded only there:
 * a library of 45 files.
 */
export async function openLog(level: string): Promise<Logger> {
  if (process.stderr.isTTY) {
    const { PinoPretty } = await import('pino-pretty');
    return pino({ level }, PinoPretty({ destination: 2, ignore: 'pid,hostname' }));
  }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
