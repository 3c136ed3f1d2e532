import { readFileSync } from 'node:fs';

/**
 * Members are inflated by WebAssembly (ingest/wasm/inflate.ts) on the thread that scans them: its pieces lie in memory that is used
 * again and again. The streams of node:zlib make a new buffer for every piece and hand every piece from thread to thread.
 */

const MODULE = new WebAssembly.Module(readFileSync(new URL('../wasm/inflate.wasm', import.meta.url)));

interface Exports {
  readonly memory: WebAssembly.Memory;
  reset(): void;
  inputAt(): number;
  inputRoom(): number;
  feed(bytes: number, areLast: boolean): void;
  inflate(): number;
  pieceAt(): number;
  pieceBytes(): number;
}

/** Results of `inflate`. */
const NEEDS_INPUT = 0;
const DONE = 2;
const BROKEN = 3;

const NOTHING = new Uint8Array(0);

class Inflater {
  readonly #wasm: Exports;
  readonly #memory: Buffer;
  done = false;

  constructor() {
    this.#wasm = new WebAssembly.Instance(MODULE).exports as unknown as Exports;
    this.#memory = Buffer.from(this.#wasm.memory.buffer);
  }

  reset(): void {
    this.#wasm.reset();
    this.done = false;
  }

  /** The pieces that come out after these packed bytes. */
  *unpack(packed: Uint8Array, areLast: boolean): Generator<Buffer> {
    for (let fed = 0; !this.done && (fed < packed.length || areLast); ) {
      const at = this.#wasm.inputAt();
      const part = packed.subarray(fed, fed + this.#wasm.inputRoom());
      this.#memory.set(part, at);
      fed += part.length;
      this.#wasm.feed(part.length, areLast);
      yield* this.#pieces();
    }
  }

  *#pieces(): Generator<Buffer> {
    while (!this.done) {
      const result = this.#wasm.inflate();
      if (result === NEEDS_INPUT) return;
      if (result === BROKEN) throw new Error('its packed bytes are damaged or cut off');
      this.done = result === DONE;
      const at = this.#wasm.pieceAt();
      const bytes = this.#wasm.pieceBytes();
      if (bytes > 0) yield this.#memory.subarray(at, at + bytes);
    }
  }
}

/** Those that nobody uses: one is needed for each of hundreds of members. */
const free: Inflater[] = [];

/**
 * The unpacked bytes of a deflate stream (RFC 1951); what stands behind its end is ignored. A piece is overwritten when the
 * next one is asked for.
 * @throws Error when the stream is damaged or ends too early
 */
export async function* inflate(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const inflater = free.pop() ?? new Inflater();
  inflater.reset();
  try {
    for await (const part of packed) {
      yield* inflater.unpack(part, false);
      if (inflater.done) return;
    }
    yield* inflater.unpack(NOTHING, true);
  } finally {
    free.push(inflater);
  }
}
