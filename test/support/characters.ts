import fc from 'fast-check';

const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800];

/**
 * Any character of Unicode, as the unit of a text. That is fast-check's unit 'binary', for which it makes a table of
 * all million characters in every process: as long as a thousand cases take.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (character) => {
    const [only, ...more] = typeof character === 'string' ? [...character] : [];
    const point = only?.codePointAt(0);
    const isSurrogate = point !== undefined && point >= FIRST_SURROGATE && point < FIRST_SURROGATE + SURROGATES;
    if (point === undefined || isSurrogate || more.length > 0) throw new Error('It is no single character');
    return point < FIRST_SURROGATE ? point : point - SURROGATES;
  },
);
