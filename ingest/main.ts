import { keepPrivate } from '../runtime/file-permissions.ts';
import { runIngest } from './cli.ts';

keepPrivate();
process.exitCode = await runIngest(process.argv.slice(2));
