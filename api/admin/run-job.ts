import { z } from 'zod';
import { JOBS, runJob } from '../jobs/jobs.ts';
import { argument, command } from './command.ts';

const names = Object.keys(JOBS);

export const runJobNow = command({
  name: 'run',
  summary: 'run a job of the service now, for instance after it failed',
  examples: ['sweep'],
  words: { job: argument(`one of ${names.join(', ')}`, z.enum(names, `must be one of ${names.join(', ')}`)) },
  run: async (store, { job }, { settings }) => ({ job, outcome: await runJob(job, store, settings) }),
  tell: ({ job, outcome }) => `${job}: ${outcome}.`,
  record: (result) => result,
});
