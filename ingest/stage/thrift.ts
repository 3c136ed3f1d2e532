/** The part of Thrift's compact protocol that a Parquet footer needs. Source: Apache Thrift, compact protocol. */

const TYPE = { i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;

const MAX_I32 = 0x7fff_ffff;

export class CompactWriter {
  readonly #bytes: number[] = [];
  /** Ids of the last fields of the structs around the current one. */
  readonly #outerFields: number[] = [];
  #lastField = 0;

  /** @throws RangeError beyond 32 bits, the limit for the size of a Parquet page */
  i32(field: number, value: number): this {
    if (value > MAX_I32) throw new RangeError(`${value} does not fit into a field of 32 bits`);
    this.#header(field, TYPE.i32);
    this.#zigzag(value);
    return this;
  }

  i64(field: number, value: number): this {
    this.#header(field, TYPE.i64);
    this.#zigzag(value);
    return this;
  }

  text(field: number, value: string): this {
    this.#header(field, TYPE.binary);
    this.#binary(value);
    return this;
  }

  struct(field: number, write: (writer: this) => void): this {
    this.#header(field, TYPE.struct);
    this.#nested(() => write(this));
    return this;
  }

  structs<T>(field: number, items: readonly T[], write: (writer: this, item: T) => void): this {
    this.#list(field, TYPE.struct, items.length);
    for (const item of items) this.#nested(() => write(this, item));
    return this;
  }

  i32s(field: number, items: readonly number[]): this {
    this.#list(field, TYPE.i32, items.length);
    for (const item of items) this.#zigzag(item);
    return this;
  }

  texts(field: number, items: readonly string[]): this {
    this.#list(field, TYPE.binary, items.length);
    for (const item of items) this.#binary(item);
    return this;
  }

  /** Ends the outermost struct. */
  end(): Buffer {
    this.#bytes.push(0);
    return Buffer.from(this.#bytes);
  }

  #header(field: number, type: number): void {
    const delta = field - this.#lastField;
    this.#lastField = field;
    if (delta > 0 && delta < 16) this.#bytes.push((delta << 4) | type);
    else {
      this.#bytes.push(type);
      this.#zigzag(field);
    }
  }

  #list(field: number, type: number, size: number): void {
    this.#header(field, TYPE.list);
    if (size < 15) this.#bytes.push((size << 4) | type);
    else {
      this.#bytes.push(0xf0 | type);
      this.#varint(size);
    }
  }

  #nested(write: () => void): void {
    this.#outerFields.push(this.#lastField);
    this.#lastField = 0;
    write();
    this.#lastField = this.#outerFields.pop() ?? 0;
    this.#bytes.push(0);
  }

  #binary(value: string): void {
    const bytes = Buffer.from(value);
    this.#varint(bytes.length);
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** All numbers written are sizes and positions: never negative, below 2^53. */
  #zigzag(value: number): void {
    this.#varint(value * 2);
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }
}
