import { tolerateClosedOutput } from '../runtime/closed-output.ts';
import { setPrivateUmask } from '../runtime/file-permissions.ts';
import { runIngest } from './cli.ts';

setPrivateUmask();
tolerateClosedOutput();
process.exitCode = await runIngest(process.argv.slice(2));
