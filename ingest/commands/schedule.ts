import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { openLog } from '../../runtime/log.ts';
import { runSchedule } from '../nightly/schedule.ts';
import { command } from './command.ts';

export const scheduleCommand = command({
  name: 'schedule',
  summary: 'run the night at each time of INGEST_SCHEDULE, and again when it fails, until a signal ends it',
  parameters: {},
  json: false,
  run: (_, { settings }) =>
    abortOnSignal(
      async (signal) => runSchedule(settings, await openLog(settings.LOG_LEVEL), signal),
      'no night begins by itself any more; one that was at work is in the record.',
    ),
});
