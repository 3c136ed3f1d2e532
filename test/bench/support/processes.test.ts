import { expect, test } from 'vitest';
import { parseTimes, processTree, residentOf, secondsOfTree } from './processes.ts';

test('processor time stands behind the name of the program, whatever is in it', () => {
  const text = '42 (a) S 1 (b) S 7 42 42 0 -1 4194304 100 0 0 0 150 50 30 20 20 0 1 0 100 0 0';
  expect(parseTimes(text)).toEqual({ parent: 7, ownSeconds: 2, waitedForSeconds: 0.5 });
});

test('a tree adds up what its processes took and what those took that have ended', () => {
  const process = (ownSeconds: number, waitedForSeconds: number) => ({ parent: 1, ownSeconds, waitedForSeconds });
  const tree = new Map([
    [2, process(3, 1)],
    [3, process(0.5, 0)],
  ]);
  expect(secondsOfTree(tree)).toBe(4.5);
});

test('this process is in the tree of its parent, and its parent not in its own', () => {
  expect(processTree(process.ppid).has(process.pid)).toBe(true);
  expect([...processTree(process.pid).keys()]).not.toContain(process.ppid);
});

test('a process has memory, and none when it is gone', () => {
  const { nowMb, peakMb } = residentOf(process.pid);
  expect(nowMb).toBeGreaterThan(0);
  expect(peakMb).toBeGreaterThanOrEqual(nowMb);
  expect(residentOf(2 ** 30)).toEqual({ nowMb: 0, peakMb: 0 });
});
