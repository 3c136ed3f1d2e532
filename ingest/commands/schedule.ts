import { openLog } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import { keepSchedule } from '../nightly/schedule.ts';
import type { IngestCommand } from './command.ts';
import { stoppable } from './exit.ts';

export const scheduleCommand: IngestCommand = {
  name: 'schedule',
  description: 'run the night at each time of INGEST_SCHEDULE, and again when it fails, until a signal ends it',
  words: (command) => command,
  run: (settings: Settings) =>
    stoppable(
      (signal) => keepSchedule(settings, openLog(settings.LOG_LEVEL), signal),
      'no night begins by itself any more; one that was at work is in the record.',
    ),
};
