import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { humanProgress, machineProgress, type Progress } from '../../../ingest/run/progress.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A stream that keeps what is written. Without columns it is not a terminal. */
function streamOf(columns?: number): { stream: NodeJS.WriteStream; written: () => string } {
  let written = '';
  const write = (text: string) => {
    written += text;
    return true;
  };
  const terminal = columns === undefined ? {} : { isTTY: true, columns, rows: 24 };
  return { stream: { write, ...terminal } as unknown as NodeJS.WriteStream, written: () => written };
}

/** Half an hour of a build at full size. */
function build(progress: Progress): void {
  progress.stage('reading', 64_000_000_000, 'MB');
  for (let step = 0; step < 10; step++) {
    vi.advanceTimersByTime(60_000);
    progress.advance(3_200_000_000);
  }
  progress.note('EinheitenSolar_12.xml is read by the parser for XML that is not flat');
  progress.stage('rows and tables that lists are read from', 9_500_000, 'units');
  vi.advanceTimersByTime(60_000);
  progress.advance(1_234_567);
  progress.end();
}

const ESCAPE_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[?0-9;]*[A-Za-z]`, 'g');

const linesOf = (text: string): string[] => text.replaceAll(ESCAPE_SEQUENCE, '\n').split('\n');

/** The widest line apart from notes, which are never drawn over. */
const widestOf = (text: string): number =>
  Math.max(...linesOf(text).map((line) => (line.startsWith('  ') ? 0 : line.length)));

describe.each([60, 80, 120])('on a terminal of %i columns', (columns) => {
  it('no line is wider than the terminal', () => {
    const { stream, written } = streamOf(columns);
    build(humanProgress(stream));
    expect(widestOf(written())).toBeLessThan(columns);
  });

  it('a stage shows its name, its progress and its duration', () => {
    const { stream, written } = streamOf(columns);
    build(humanProgress(stream));
    const lines = linesOf(written());
    expect(lines).toContainEqual(expect.stringMatching(/^reading .*32000 MB of 64000 MB.* 10 min 0 s left$/));
    expect(lines).toContainEqual(expect.stringMatching(/^rows and tables that lists are read from .*in 1 min 0 s$/));
  });
});

it('a terminal that does not say how wide it is gets plain lines', () => {
  const { stream, written } = streamOf(0);
  build(humanProgress(stream));
  expect(written()).not.toMatch(ESCAPE_SEQUENCE);
  expect(linesOf(written())).toContainEqual(
    expect.stringMatching(/^rows and tables that lists are read from .*in 1 min/),
  );
});

describe('the bar', () => {
  it.each([
    [60, '[██████·····]'],
    [80, '[████████████············]'],
    [120, '[████████████············]'],
  ])('fits %i columns', (columns, bar) => {
    const { stream, written } = streamOf(columns);
    build(humanProgress(stream));
    expect(written()).toContain(bar);
  });

  it('is omitted when the terminal becomes narrow', () => {
    const { stream, written } = streamOf(20);
    build(humanProgress(stream));
    expect(written()).not.toContain('█');
    expect(widestOf(written())).toBeLessThan(20);
  });
});

it('without a terminal there are plain lines', () => {
  const { stream, written } = streamOf();
  build(humanProgress(stream));
  const lines = written().split('\n');
  expect(lines[0]).toBe(`${'reading'.padEnd(34)} 3200 MB of 64000 MB, 53 MB/s, 19 min 0 s left`);
  expect(lines).toContain('  EinheitenSolar_12.xml is read by the parser for XML that is not flat');
  expect(lines.at(-2)).toBe(
    'rows and tables that lists are read from 1,234,567 units of 9,500,000 units, 20,576 units/s in 1 min 0 s',
  );
});

it('with --json every stage and note is an object', () => {
  const { stream, written } = streamOf();
  build(machineProgress(stream));
  const events = written()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual(['note', 'stage', 'stage']);
  expect(events[1]).toEqual({
    event: 'stage',
    name: 'reading',
    done: 32_000_000_000,
    total: 64_000_000_000,
    unit: 'MB',
    ms: 600_000,
  });
});
