import { runIngest } from './cli.ts';

process.exitCode = await runIngest(process.argv.slice(2));
