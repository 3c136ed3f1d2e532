import { expect, it } from 'vitest';
import { tell } from '../../../ingest/commands/exit.ts';

it('a build that needs more memory than it may have says which setting bounds it, in our words', () => {
  const told = tell(
    new Error('Out of Memory Error: could not allocate block of size 256.0 KiB (500.0 MiB/500.0 MiB used)'),
  );
  expect(told).toMatch(/INGEST_MEMORY_MB.*Nothing was published/);
  expect(told).not.toContain('allocate');
});

it('a full disk names the file that did not fit', () => {
  expect(tell(new Error("IO Error: …because of error: No space left on device: '/srv/x.duckdb'"))).toBe(
    "The disk is full: No space left on device: '/srv/x.duckdb'. Nothing was published, what was served is still served; " +
      'make room and try again.',
  );
});
