/** Numbers that become more and more, at no more memory than they take: nothing is copied to make room. */
export interface NumberList {
  push(value: number): void;
  length(): number;
  /** The numbers as they lie in memory, in pieces. */
  bytes(): Uint8Array[];
}

const PIECE = 1 << 16;

export function numberList(type: Float64ArrayConstructor | Uint32ArrayConstructor): NumberList {
  const pieces: (Float64Array | Uint32Array)[] = [];
  let piece = new type(0);
  let length = 0;
  return {
    push(value) {
      const place = length % PIECE;
      if (place === 0) {
        piece = new type(PIECE);
        pieces.push(piece);
      }
      piece[place] = value;
      length++;
    },
    length: () => length,
    bytes: () =>
      pieces.map((one, index) => {
        const numbers = Math.min(PIECE, length - index * PIECE);
        return new Uint8Array(one.buffer, 0, numbers * one.BYTES_PER_ELEMENT);
      }),
  };
}
