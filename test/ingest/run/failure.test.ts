import { expect, it } from 'vitest';
import { ingestFailureOf } from '../../../ingest/run/failure.ts';

it('a build without enough memory names the setting that bounds it', () => {
  const { message } = ingestFailureOf(
    new Error('Out of Memory Error: could not allocate block of size 256.0 KiB (500.0 MiB/500.0 MiB used)'),
  );
  expect(message).toMatch(/than it may have, 500\.0 MiB: INGEST_MEMORY_MB.*Nothing was published/);
  expect(message).not.toContain('allocate');
});

it('a full disk names the file that did not fit', () => {
  expect(
    ingestFailureOf(new Error("IO Error: …because of error: No space left on device: '/srv/x.duckdb'")).message,
  ).toBe(
    "The disk is full: No space left on device: '/srv/x.duckdb'. Nothing was published, what was served is still served; " +
      'make room and try again.',
  );
});
