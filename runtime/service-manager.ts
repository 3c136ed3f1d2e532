import { execFile } from 'node:child_process';
import { fstatSync } from 'node:fs';
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

/**
 * Names the service manager that started this process. Variables that mere sessions inherit, such as INVOCATION_ID in a
 * terminal of a desktop, do not count: systemd is known by its socket, by the process that it started, which is this one
 * or npm above it, and by output that goes to the journal.
 * @returns null where somebody may be looking
 */
export function serviceManager(environment: NodeJS.ProcessEnv = process.env): string | null {
  const { NOTIFY_SOCKET, SYSTEMD_EXEC_PID, JOURNAL_STREAM, SUPERVISOR_ENABLED, pm_id } = environment;
  const started = [process.pid, process.ppid].map(String).includes(SYSTEMD_EXEC_PID ?? '');
  const journal = JOURNAL_STREAM !== undefined && [1, 2].some((output) => fileOf(output) === JOURNAL_STREAM);
  if (NOTIFY_SOCKET !== undefined || started || journal) return 'systemd';
  if (SUPERVISOR_ENABLED !== undefined) return 'supervisord';
  return pm_id === undefined ? null : 'PM2';
}

/** Device and inode, as JOURNAL_STREAM has them; null for an output that is closed. */
function fileOf(descriptor: number): string | null {
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
