import { ClickHouseError } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { translatedError } from '../../../api/warehouse/clickhouse/faults.ts';

/** Callers are told this when the server refuses a statement. */
test.each([
  ['160', 'The question needs more time or memory than one request may take'],
  ['201', 'The warehouse has too much to do'],
  ['202', 'The warehouse has too much to do'],
  ['516', 'The warehouse does not give access to the dataset version'],
])('code %s: %s', (code, detail) => {
  const error = new ClickHouseError({ message: 'refused', code, type: '' });
  expect(translatedError(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: detail });
});
