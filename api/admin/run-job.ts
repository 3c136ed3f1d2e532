import { z } from 'zod';
import { argument } from '../../runtime/command-line/parameter.ts';
import { JOBS, runJob } from '../jobs/jobs.ts';
import { adminCommand } from './common/admin-command.ts';

const names = Object.keys(JOBS);

export const runJobNow = adminCommand({
  name: 'run',
  summary: 'run a job of the service now, for instance after it failed',
  examples: ['sweep'],
  parameters: { job: argument(`one of ${names.join(', ')}`, z.enum(names, `must be one of ${names.join(', ')}`)) },
  run: async (store, { job }, { settings }) => ({ job, outcome: await runJob(job, store, settings) }),
  format: ({ job, outcome }) => `${job}: ${outcome}.`,
  logFields: (result) => result,
});
