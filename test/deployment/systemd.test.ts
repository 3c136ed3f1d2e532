import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, fstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../runtime/command-line/exit.ts';
import { reportToManager, serviceManager } from '../../runtime/service-manager.ts';
import { ROOT } from '../docs/folders.ts';
import { temporaryFolder } from '../support/fixture.ts';

const UNITS = ['energy.service', 'energy-nightly.service', 'energy-nightly.timer'];
const folder = temporaryFolder();
afterAll(() => folder.remove());

const read = (unit: string): string => readFileSync(join(ROOT, 'systemd', unit), 'utf8');

/** The values of a setting in a unit. */
const valuesOf = (unit: string, name: string): string[] =>
  [...read(unit).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

/** The units as they would be installed, with the code in this folder and the user of this process. */
function installed(): string[] {
  const units = join(folder.path, 'units');
  mkdirSync(units, { recursive: true });
  return UNITS.map((unit) => {
    const path = join(units, unit);
    writeFileSync(path, read(unit).replaceAll('/opt/energy', ROOT.replace(/\/$/, '')));
    return path;
  });
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.runIf(hasSystemd)('systemd-analyze', () => {
  test('finds no fault in the units', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...installed()], {
      encoding: 'utf8',
    });
    expect({
      status,
      faults: stderr.split('\n').filter((line) => line.includes(folder.path) || /energy/.test(line)),
    }).toEqual({
      status: 0,
      faults: [],
    });
  });

  test('understands the time of the night', () => {
    const [calendar = ''] = valuesOf('energy-nightly.timer', 'OnCalendar');
    expect(execFileSync('systemd-analyze', ['calendar', calendar], { encoding: 'utf8' })).toContain('Next elapse');
  });
});

test.each(['energy.service', 'energy-nightly.service'])(
  '%s starts a command that exists, as a user with few rights',
  (unit) => {
    const [command = ''] = valuesOf(unit, 'ExecStart');
    expect(existsSync(join(ROOT, command.split(' ')[1]!))).toBe(true);
    expect(valuesOf(unit, 'User')).toEqual(['energy']);
    expect(valuesOf(unit, 'Environment').join()).toContain(`STATE_DIR=/var/lib/${valuesOf(unit, 'StateDirectory')}`);
    for (const hardening of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'ProtectHome=yes', 'UMask=0077']) {
      expect(read(unit)).toContain(`\n${hardening}\n`);
    }
  },
);

test('a night is repeated only where that may help', () => {
  const [final = ''] = valuesOf('energy-nightly.service', 'RestartPreventExitStatus');
  const { usage, checkFailed, locked, refused, damaged } = EXIT;
  expect(final.split(' ').map(Number)).toEqual([usage, checkFailed, locked, refused, damaged]);
});

describe('the report to systemd', () => {
  /** A folder with a `systemd-notify` that writes down how it was called. */
  function commands(script: string): string {
    const path = join(folder.path, `bin-${script.length}`);
    mkdirSync(path);
    writeFileSync(join(path, 'systemd-notify'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(path, 'systemd-notify'), 0o755);
    return path;
  }
  const heard = join(folder.path, 'heard');

  test('goes where NOTIFY_SOCKET says', async () => {
    const PATH = commands(`echo "$NOTIFY_SOCKET $1" >> '${heard}'`);
    expect(await reportToManager('READY=1', { PATH, NOTIFY_SOCKET: '/run/x' })).toBeNull();
    expect(await reportToManager('STOPPING=1', { PATH, NOTIFY_SOCKET: '/run/x' })).toBeNull();
    expect(readFileSync(heard, 'utf8')).toBe('/run/x READY=1\n/run/x STOPPING=1\n');
  });

  test('is not sent where nobody waits for it', async () => {
    expect(await reportToManager('READY=1', { PATH: commands('exit 1') })).toBeNull();
  });

  test('that fails does not end the service', async () => {
    const PATH = commands('exit  1');
    expect(await reportToManager('READY=1', { PATH, NOTIFY_SOCKET: '/run/x' })).toBeInstanceOf(Error);
    expect(await reportToManager('READY=1', { PATH: folder.path, NOTIFY_SOCKET: '/run/x' })).toMatchObject({
      code: 'ENOENT',
    });
  });
});

test('a service knows by whom it was started', () => {
  const { dev, ino } = fstatSync(1, { bigint: true });
  expect([
    serviceManager({ NOTIFY_SOCKET: '/run/x' }),
    serviceManager({ SYSTEMD_EXEC_PID: String(process.ppid) }),
    serviceManager({ JOURNAL_STREAM: `${dev}:${ino}` }),
    serviceManager({ SUPERVISOR_ENABLED: '1' }),
    serviceManager({ pm_id: '0' }),
  ]).toEqual(['systemd', 'systemd', 'systemd', 'supervisord', 'PM2']);
  // What a terminal of a desktop inherits.
  expect(
    serviceManager({ INVOCATION_ID: 'a', SYSTEMD_EXEC_PID: '1', JOURNAL_STREAM: `${dev}:${ino + 1n}` }),
  ).toBeNull();
});
