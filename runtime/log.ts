import { type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type { Logger };

/** Opens the log on standard error: JSON lines, or readable text on a terminal. */
export function openLog(level: string): Logger {
  if (process.stderr.isTTY) return pino({ level }, PinoPretty({ destination: 2, ignore: 'pid,hostname' }));
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
