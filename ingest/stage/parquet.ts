import { closeSync, openSync, writevSync } from 'node:fs';
import { itemAt } from '../../runtime/present.ts';
import { CompactWriter } from './thrift.ts';

/**
 * Writes encoded columns as a Parquet file, in which blocks of records pass from the scanner to DuckDB. A library would
 * need a JavaScript value per field; here the bytes of the scanner are the page.
 * Source: Apache Parquet format, version 1 data pages, encodings PLAIN and RLE_DICTIONARY, no compression.
 */

export type ParquetType = 'int32' | 'int64' | 'boolean' | 'text' | 'day' | 'time' | { decimals: number };

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

/** One column of one row group. */
export interface EncodedColumn {
  readonly nulls: number;
  /** One bit a row, least significant first; 1 = there is a value. */
  readonly validity: Uint8Array;
  /** The values that are not null, in PLAIN encoding; with a dictionary, their indices in it. */
  readonly values: Uint8Array;
  readonly dictionary?: Dictionary;
}

/** The texts to which the values of a column refer by indices of 16 bits, little endian. */
export interface Dictionary {
  /** In PLAIN encoding. */
  readonly values: Uint8Array;
  readonly size: number;
}

const PHYSICAL = { boolean: 0, int32: 1, int64: 2, bytes: 6 } as const;
const CONVERTED = { utf8: 0, decimal: 5, date: 6, timestampMicros: 10 } as const;
const ENCODING = { plain: 0, rle: 3, dictionary: 8 } as const;
const PAGE = { data: 0, dictionary: 2 } as const;
const OPTIONAL = 1;
const UNCOMPRESSED = 0;
const MAGIC = Buffer.from('PAR1');

function physicalType(type: ParquetType): number {
  if (typeof type === 'object') return PHYSICAL.int64;
  const types = {
    int32: 'int32',
    int64: 'int64',
    boolean: 'boolean',
    text: 'bytes',
    day: 'int32',
    time: 'int64',
  } as const;
  return PHYSICAL[types[type]];
}

interface Chunk {
  readonly offset: number;
  readonly dictionaryOffset: number | null;
  readonly dataOffset: number;
  readonly bytes: number;
  readonly column: ParquetColumn;
}

interface RowGroup {
  readonly rows: number;
  readonly bytes: number;
  readonly chunks: Chunk[];
}

export class ParquetFile {
  readonly #columns: readonly ParquetColumn[];
  readonly #file: number;
  readonly #groups: RowGroup[] = [];
  #position = 0;

  constructor(path: string, columns: readonly ParquetColumn[]) {
    this.#columns = columns;
    this.#file = openSync(path, 'w');
    this.#write([MAGIC]);
  }

  /** Appends a row group; `columns` in the order of the schema. */
  writeRowGroup(rows: number, columns: readonly EncodedColumn[]): void {
    const start = this.#position;
    const chunks = columns.map((column, index) => this.#writeChunk(itemAt(this.#columns, index), rows, column));
    this.#groups.push({ rows, bytes: this.#position - start, chunks });
  }

  /** Writes the footer, without which the file is not a Parquet file, and closes it. */
  close(): void {
    const footer = this.#footer();
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    this.#write([footer, length, MAGIC]);
    closeSync(this.#file);
  }

  /** Closes the file without a footer. */
  abort(): void {
    closeSync(this.#file);
  }

  #write(parts: Uint8Array[]): void {
    let expected = 0;
    for (const part of parts) expected += part.byteLength;
    let written = writevSync(this.#file, parts);
    // A disk that fills up may accept a part first and fail only at the next call.
    let rest = parts;
    while (written < expected) {
      rest = [Buffer.concat(rest).subarray(written)];
      expected -= written;
      written = writevSync(this.#file, rest);
    }
    for (const part of parts) this.#position += part.byteLength;
  }

  #writeChunk(column: ParquetColumn, rows: number, encoded: EncodedColumn): Chunk {
    const offset = this.#position;
    let dictionaryOffset: number | null = null;
    const { dictionary } = encoded;
    if (dictionary !== undefined) {
      dictionaryOffset = offset;
      const header = pageHeader(PAGE.dictionary, dictionary.values.length, dictionary.size, ENCODING.plain);
      this.#write([header, dictionary.values]);
    }
    const dataOffset = this.#position;
    const levels = definitionLevels(rows, encoded);
    const width = dictionary === undefined ? EMPTY : dictionaryRun(rows - encoded.nulls);
    const size = levels.length + width.length + encoded.values.length;
    const encoding = dictionary === undefined ? ENCODING.plain : ENCODING.dictionary;
    this.#write([pageHeader(PAGE.data, size, rows, encoding), levels, width, encoded.values]);
    return { offset, dictionaryOffset, dataOffset, bytes: this.#position - offset, column };
  }

  #footer(): Buffer {
    const rows = this.#groups.reduce((sum, group) => sum + group.rows, 0);
    const schema: (ParquetColumn | null)[] = [null, ...this.#columns];
    return new CompactWriter()
      .i32(1, 1)
      .structs(2, schema, (writer, column) => this.#writeSchemaElement(writer, column))
      .i64(3, rows)
      .structs(4, this.#groups, (writer, group) => {
        writer
          .structs(1, group.chunks, (inner, chunk) => writeChunkMetadata(inner, chunk, group.rows))
          .i64(2, group.bytes)
          .i64(3, group.rows);
      })
      .text(6, 'energy-asset-data-service')
      .end();
  }

  #writeSchemaElement(writer: CompactWriter, column: ParquetColumn | null): void {
    if (column === null) {
      writer.text(4, 'schema').i32(5, this.#columns.length);
      return;
    }
    const { type } = column;
    writer.i32(1, physicalType(type)).i32(3, OPTIONAL).text(4, column.name);
    if (type === 'text') writer.i32(6, CONVERTED.utf8);
    else if (type === 'day') writer.i32(6, CONVERTED.date);
    else if (type === 'time') writer.i32(6, CONVERTED.timestampMicros);
    else if (typeof type === 'object') writer.i32(6, CONVERTED.decimal).i32(7, type.decimals).i32(8, 18);
  }
}

const EMPTY = new Uint8Array(0);

function writeChunkMetadata(writer: CompactWriter, chunk: Chunk, rows: number): void {
  writer.i64(2, chunk.offset).struct(3, (metadata) => {
    metadata
      .i32(1, physicalType(chunk.column.type))
      .i32s(2, [ENCODING.plain, ENCODING.rle, ENCODING.dictionary])
      .texts(3, [chunk.column.name])
      .i32(4, UNCOMPRESSED)
      .i64(5, rows)
      .i64(6, chunk.bytes)
      .i64(7, chunk.bytes)
      .i64(9, chunk.dataOffset);
    if (chunk.dictionaryOffset !== null) metadata.i64(11, chunk.dictionaryOffset);
  });
}

function pageHeader(type: number, size: number, values: number, encoding: number): Buffer {
  const writer = new CompactWriter().i32(1, type).i32(2, size).i32(3, size);
  if (type === PAGE.dictionary) writer.struct(7, (header) => header.i32(1, values).i32(2, encoding));
  else writer.struct(5, (header) => header.i32(1, values).i32(2, encoding).i32(3, ENCODING.rle).i32(4, ENCODING.rle));
  return writer.end();
}

/** Definition levels, 0 = null, 1 = value, as one run of the RLE/bit-packed hybrid, preceded by its length. */
function definitionLevels(rows: number, column: EncodedColumn): Uint8Array {
  const uniform = column.nulls === 0 || column.nulls === rows;
  const header = varint(uniform ? rows * 2 : groupsOfEight(rows) * 2 + 1);
  const run = uniform ? [column.nulls === 0 ? 1 : 0] : column.validity.subarray(0, groupsOfEight(rows));
  const levels = new Uint8Array(4 + header.length + run.length);
  new DataView(levels.buffer).setUint32(0, header.length + run.length, true);
  levels.set(header, 4);
  levels.set(run, 4 + header.length);
  return levels;
}

const INDEX_BITS = 16;

/** The width of dictionary indices in bits, and the header of one bit-packed run. */
function dictionaryRun(values: number): Uint8Array {
  return Uint8Array.from([INDEX_BITS, ...varint(groupsOfEight(values) * 2 + 1)]);
}

const groupsOfEight = (count: number): number => Math.ceil(count / 8);

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}
