import { keepPrivate } from '../sql/private.ts';
import { runIngest } from './cli.ts';

keepPrivate();
process.exitCode = await runIngest(process.argv.slice(2));
