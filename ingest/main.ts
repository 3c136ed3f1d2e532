import { setPrivateUmask } from '../runtime/file-permissions.ts';
import { runIngest } from './cli.ts';

setPrivateUmask();
process.exitCode = await runIngest(process.argv.slice(2));
