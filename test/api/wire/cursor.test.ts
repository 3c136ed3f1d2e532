import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorSigner } from '../../../api/wire/paging.ts';

const cursors = cursorSigner('a key of the test that is long enough');

const positions = fc.record({
  key: fc.array(fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))),
  delivered: fc.nat(10_000),
  question: fc.string(),
});

test('a signed cursor is verified', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(cursors.verify(cursors.sign(position))).toEqual(JSON.parse(JSON.stringify(position)));
    }),
  );
});

test('every altered character is refused, whatever it becomes', () => {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.%é ';
  const cursor = cursors.sign({ key: [12.5, 'SEE900000000001'], delivered: 100, question: 'digest' });
  for (let at = 0; at < cursor.length; at++) {
    for (const other of ALPHABET) {
      if (other === cursor[at]) continue;
      expect(cursors.verify(cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeNull();
    }
  }
});

test('a cursor that is shortened, lengthened, foreign or invented is refused', () => {
  const cursor = cursors.sign({ key: ['SEE900000000001'], delivered: 1, question: 'digest' });
  const foreign = cursorSigner('the key of another service altogether').sign({ key: [], delivered: 1, question: '' });
  for (const text of [cursor.slice(0, -1), cursor.slice(1), `${cursor}A`, `${cursor}=`, foreign, '', 'A']) {
    expect(cursors.verify(text)).toBeNull();
  }
  fc.assert(fc.property(fc.base64String(), (text) => cursors.verify(text) === null));
});
