import { tolerateClosedOutput } from '../../runtime/closed-output.ts';
import { localAddress } from '../../runtime/local-address.ts';
import { readSettings } from '../../runtime/settings.ts';

/**
 * `node api/health/check.ts`: asks the service on this machine whether it can answer, for supervisors of containers, whose
 * image has no other client. Exit code 0 says that it can.
 */

const TIMEOUT_MILLISECONDS = 8_000;

async function check(): Promise<string | null> {
  const { HOST, PORT } = readSettings();
  const url = `${localAddress(HOST, PORT)}/v1/health`;
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    return status === 200 ? null : `${url} answers ${status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    return `${url} does not answer: ${cause instanceof Error ? cause.message : message}`;
  }
}

tolerateClosedOutput();
const fault = await check();
if (fault !== null) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
