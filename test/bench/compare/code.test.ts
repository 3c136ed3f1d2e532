import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { NotMeasurable } from '../support/place.ts';
import { codeOf } from './code.ts';

test('a commit that is not here is no fault of the code: it says that there is nothing to compare with', async () => {
  const unknown = codeOf('0000000000000000000000000000000000000000', tmpdir());
  await expect(unknown).rejects.toThrow(NotMeasurable);
  await expect(unknown).rejects.toThrow(/nothing to compare with/);
});
