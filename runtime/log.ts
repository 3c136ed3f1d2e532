import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * Opens the log on standard error: JSON lines, or readable text on a terminal. What makes it readable is loaded only there:
 * a library of 45 files.
 * @param base members of every line
 */
export async function openLog(level: string, base: Readonly<Record<string, unknown>> | null = null): Promise<Logger> {
  if (process.stderr.isTTY) {
    const { PinoPretty } = await import('pino-pretty');
    return pino({ level, base }, PinoPretty({ destination: 2, ignore: 'pid,hostname' }));
  }
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
