import { expect, test } from 'vitest';
import { isPipe, socketPath } from '../../../api/admin/execution/socket-path.ts';

test('beside the folder of the store, where there are unix sockets', () => {
  expect(socketPath('/srv/energy/org', 'linux')).toBe('/srv/energy/org.sock');
  expect(isPipe('linux')).toBe(false);
});

test('a named pipe on Windows, the same for every spelling of the folder and another for every folder', () => {
  const pipe = socketPath('/srv/energy/org', 'win32');
  expect(pipe).toMatch(/^\\\\\.\\pipe\\energy-admin-[0-9a-f]{16}$/);
  expect(socketPath('/srv/Energy/org', 'win32')).toBe(pipe);
  expect(socketPath('/srv/energy/other', 'win32')).not.toBe(pipe);
  expect(isPipe('win32')).toBe(true);
});
