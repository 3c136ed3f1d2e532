import { expect, test } from 'vitest';
import { readTraceparent } from '../../../api/wire/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

test.each([`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-00`, `cc-${TRACE}-${PARENT}-01-what-the-future-brings`])(
  '%s is read',
  (header) => {
    expect(readTraceparent(header)).toEqual({ traceId: TRACE, parentId: PARENT });
  },
);

test.each([
  '',
  'nonsense',
  `ff-${TRACE}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
])('%j is ignored', (header) => {
  expect(readTraceparent(header)).toBeNull();
});
