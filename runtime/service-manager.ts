import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Reports to systemd, which waits for the service to be ready (Type=notify). Its protocol is a datagram on a unix socket,
 * which Node cannot send, and the packages that can are native builds: so `systemd-notify` sends it, a part of systemd that
 * is there wherever NOTIFY_SOCKET is set.
 */

export type ServiceState = 'READY=1' | 'STOPPING=1';

/** @returns null, or why the report could not be sent; without NOTIFY_SOCKET there is nobody to report to */
export async function reportToManager(
  state: ServiceState,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Error | null> {
  if (environment.NOTIFY_SOCKET === undefined) return null;
  try {
    await promisify(execFile)('systemd-notify', [state], { env: environment, timeout: 10_000 });
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
