import { itemAt } from '../../runtime/present.ts';
import { isNameOfRegister } from '../../sql/register/fields.ts';
import { MASTR_NUMBER } from '../../sql/register/mastr-number.ts';
import type { Member } from '../archive/member.ts';
import { unitAt } from '../scan/characters.ts';
import { formOf } from '../scan/form.ts';
import type { ScanHandler, ScannedRecord } from '../scan/handler.ts';
import { textOf } from '../scan/text.ts';
import { int32At } from '../scan/typed-arrays.ts';
import { NO_VALUES, type ValueSource } from './chunk.ts';
import { ColumnMemory } from './column-memory.ts';
import { bytesOfColumn, type Column, columnFor, type DayBounds, faultOf } from './columns.ts';
import { Findings, type FindingText, type RecordLocation } from './findings.ts';
import { originOf } from './origin.ts';
import type { StagedColumn, StagingPlan, WithheldColumns } from './plan.ts';
import { sliceOf } from './slices.ts';
import type { StagedFiles } from './staged-files.ts';
import { isBlank } from './stores.ts';
import { mastrDigits, parseFlag, parseInteger } from './values.ts';

/** Rows held in memory before they go to the chunks of their files. */
const ROWS_IN_MEMORY = 1 << 14;

/** Code units of values held in memory before that: some 1,000 per row, more than any kind of file has. */
const UNITS_IN_MEMORY = 1 << 24;

/** Fewest bytes of a record; the size of a member divided by it bounds its rows. */
const MIN_RECORD = 32;

/** Counts the records of a member and collects its findings. */
class MemberFindings {
  readonly findings = new Findings();
  read = 0;
  refused = 0;

  /** @param text of the record as far as it was read; it may contain an address, so only a MaStR number of it is kept */
  broken(reason: string, text: string): void {
    this.read++;
    this.refused++;
    const example = ELEMENT_WITH_NUMBER.exec(text.slice(0, KEY_PREFIX_LENGTH))?.[1] ?? null;
    this.findings.add('datensatz_nicht_wohlgeformt', null, { note: reason.slice(0, 200) }, () => ({
      example,
      record: this.read,
    }));
  }

  unknown(element: string, text: string): void {
    const named = isNameOfRegister(element);
    const note = named ? formOf(text) : `${formOf(text)}; name of the element: ${formOf(element)}`;
    this.findings.add('element_unbekannt', named ? element : null, { note }, this.#locateNext);
  }

  forbidden(element: string, characters: number): void {
    this.findings.add('zeichen_verboten', isNameOfRegister(element) ? element : null, {}, this.#locateNext, characters);
  }

  stray(what: string): void {
    this.findings.add('struktur_unerwartet', null, { note: what }, this.#locateNext);
  }

  /** Locates the record that is being read and has not been counted yet. */
  readonly #locateNext = (): RecordLocation => ({ example: null, record: this.read + 1 });
}

/** A MaStR number that is the whole text of an element; within a longer text it could be part of an account number. */
const ELEMENT_WITH_NUMBER = new RegExp(`>\\s*(${MASTR_NUMBER})\\s*<`);

/** Characters of a record in which its key is looked for: it is among the first elements of every kind. */
const KEY_PREFIX_LENGTH = 400;

/** Counts the records of a member that belongs to no staged table. */
export class Counting extends MemberFindings implements ScanHandler {
  record(): void {
    this.read++;
  }
}

/** A column of an element that this kind of file has. */
interface StagingColumn {
  readonly spec: StagedColumn;
  readonly column: Column;
  /** Of two columns of one element only one reports findings. */
  readonly reportsFindings: boolean;
}

/** The rows in memory. */
interface Rows {
  readonly memory: ColumnMemory;
  readonly columns: readonly StagingColumn[];
  /** Columns whose values are withheld for some records. */
  readonly withheld: readonly (WithheldColumns & { readonly columns: readonly StagingColumn[] })[];
  /** Values of all columns of the staged files. */
  readonly sources: readonly ValueSource[];
}

/** Stages the records of one member: appends them to the staged files, one per slice of its table. */
export class Staging extends MemberFindings implements ScanHandler {
  staged = 0;
  readonly #plan: StagingPlan;
  readonly #member: Pick<Member, 'index'>;
  readonly #files: StagedFiles;
  readonly #slices: number;
  readonly #capacity: number;
  readonly #bounds: DayBounds;
  readonly #bytes: number;
  /** Null before the first record, whose memory it shares. */
  #inMemory: Rows | null = null;
  readonly #recordNumbers: Int32Array;
  readonly #sliceNumbers: Uint16Array;
  #rows = 0;
  #current: ScannedRecord | null = null;

  /**
   * @param slices number of slices of sliced tables
   */
  constructor(
    plan: StagingPlan,
    member: Pick<Member, 'index' | 'bytes'>,
    files: StagedFiles,
    slices: number,
    bounds: DayBounds,
  ) {
    super();
    this.#plan = plan;
    this.#member = member;
    this.#files = files;
    this.#slices = plan.sliced ? slices : 1;
    this.#bounds = bounds;
    this.#bytes = member.bytes;
    this.#capacity = Math.min(ROWS_IN_MEMORY, Math.ceil(member.bytes / MIN_RECORD) + 1);
    this.#recordNumbers = new Int32Array(this.#capacity);
    this.#sliceNumbers = new Uint16Array(this.#capacity);
  }

  record(record: ScannedRecord): void {
    this.read++;
    this.#current = record;
    this.#inMemory ??= this.#begin(record);
    const rows = this.#inMemory;
    const slice = this.#sliceOfKey(rows, record);
    if (slice < 0) {
      this.refused++;
      return;
    }
    const isFull = rows.memory.append(this.#rows, record);
    this.#withhold(rows, record);
    this.#recordNumbers[this.#rows] = record.number;
    this.#sliceNumbers[this.#rows] = slice;
    this.staged++;
    if (++this.#rows === this.#capacity || isFull) this.#flush(rows);
  }

  /** Makes the columns beside the text of the records. */
  #begin(record: ScannedRecord): Rows {
    const specs = this.#plan.columns.filter(({ slot }) => slot >= 0);
    const bytes = specs.length * bytesOfColumn(this.#capacity) + ColumnMemory.bytesForColumns(specs.length);
    const units = Math.min(UNITS_IN_MEMORY, this.#bytes);
    const memory = new ColumnMemory(record.memory, bytes, units, (index) => this.#putOther(index));
    const place = { memory, capacity: this.#capacity };
    const named = new Set(this.#plan.columns.map(({ name }) => name));
    const columns = specs.map((spec) => ({
      spec,
      reportsFindings: spec.name === spec.element || !named.has(spec.element),
      column: columnFor(spec.kind, place, this.#bounds, (item) =>
        this.findings.add('katalog_id_unbekannt', spec.element, this.#findingText(spec, item), this.#locate),
      ),
    }));
    memory.arrange(
      record,
      columns.map(({ spec, column: { present, plain } }) => ({
        slot: spec.slot,
        flagSlot: spec.notAvailableSlot,
        present,
        plain,
      })),
    );
    const withheld = this.#plan.withheld.map((one) => ({
      ...one,
      columns: columns.filter(({ spec }) => one.elements.includes(spec.element)),
    }));
    const bySpec = new Map(columns.map(({ spec, column }) => [spec, column]));
    const sources = [
      ...originOf(this.#member.index, this.#recordNumbers, this.#plan.kind),
      ...this.#plan.columns.map((spec) => bySpec.get(spec) ?? NO_VALUES),
    ];
    return { memory, columns, withheld, sources };
  }

  /** Stages the remaining rows. */
  close(): void {
    if (this.#inMemory !== null) this.#flush(this.#inMemory);
    this.release();
  }

  /** Gives the memory back. */
  release(): void {
    this.#inMemory?.memory.release();
    this.#inMemory = null;
  }

  /** Locates the current record. */
  readonly #locate = (): RecordLocation => ({ example: this.#key(), record: this.read });

  #key(): string | null {
    const record = this.#current;
    if (record === null || !has(record, this.#plan.keySlot)) return null;
    const [start, end] = trimmed(record, this.#plan.keySlot);
    const key = textOf(record.units, start, Math.min(end, start + MAX_KEY_LENGTH));
    return KEY.test(key) ? key : null;
  }

  /** Describes an invalid text as closely as privacy allows. */
  #findingText({ repeatable }: StagedColumn, text: string): FindingText {
    return repeatable ? { raw: text } : { note: formOf(text) };
  }

  #withhold({ withheld }: Rows, record: ScannedRecord): void {
    for (const { columns, unlessSlot, allows } of withheld) {
      if (!hasOneOf(record, columns)) continue;
      if (has(record, unlessSlot)) {
        const [start, end] = trimmed(record, unlessSlot);
        if (allows(record.units, start, end)) continue;
      }
      for (const { column } of columns) column.putNull(this.#rows);
    }
  }

  /** The slice of a record by its key; -1, with a finding, when it has no valid key. */
  #sliceOfKey({ memory }: Rows, record: ScannedRecord): number {
    const { keySlot, keyAs } = this.#plan;
    if (!has(record, keySlot)) {
      this.findings.add('schluessel_fehlt', null, {}, this.#locate);
      return -1;
    }
    if (keyAs === 'mastr') {
      const digits = memory.keyDigits(keySlot, record);
      if (digits >= 0) return this.#slices === 1 ? 0 : sliceOf(digits, this.#slices);
    }
    const [start, end] = trimmed(record, keySlot);
    const key = start === end ? Number.NaN : KEYS[keyAs](record.units, start, end);
    if (Number.isNaN(key)) {
      this.findings.add('schluessel_ungueltig', null, { note: formOf(textOf(record.units, start, end)) }, this.#locate);
      return -1;
    }
    return this.#slices === 1 ? 0 : sliceOf(key, this.#slices);
  }

  /** Puts the value of a column into the present row, if it has one, and returns the number of its code units. */
  #putOther(index: number): number {
    const record = this.#current;
    if (record === null || this.#inMemory === null) throw new Error('There is no record to read a value from');
    const { column, spec, reportsFindings } = itemAt(this.#inMemory.columns, index);
    const [start, end] = trimmed(record, spec.slot);
    if (this.#isNotAvailable(record, spec.notAvailableSlot)) {
      if (reportsFindings) this.findings.add('wert_trotz_nv', spec.element, {}, this.#locate);
      return 0;
    }
    const { units } = record;
    if (column.put(this.#rows, units, start, end) || !reportsFindings) return end - start;
    const fault = faultOf(spec.kind, units, start, end);
    if (fault !== null)
      this.findings.add(fault, spec.element, this.#findingText(spec, textOf(units, start, end)), this.#locate);
    return end - start;
  }

  #isNotAvailable(record: ScannedRecord, slot: number): boolean {
    if (!has(record, slot)) return false;
    const [start, end] = trimmed(record, slot);
    return parseFlag(record.units, start, end) === 1;
  }

  /** Appends the rows in memory to the files of their slices. */
  #flush({ memory, columns, sources }: Rows): void {
    this.#rowsBySlice().forEach((rows, slice) => {
      if (rows.length > 0) this.#files.fileOf(this.#plan, slice).append(rows, sources);
    });
    this.#rows = 0;
    memory.clear();
    for (const { column } of columns) column.clear();
  }

  /** The rows of each slice in their order, found in one pass however many slices there are. */
  #rowsBySlice(): Int32Array[] {
    const slices = this.#sliceNumbers.subarray(0, this.#rows);
    const counts = new Int32Array(this.#slices);
    for (const slice of slices) counts[slice] = int32At(counts, slice) + 1;
    const rows = Array.from(counts, (count) => new Int32Array(count));
    counts.fill(0);
    slices.forEach((slice, row) => {
      const at = int32At(counts, slice);
      itemAt(rows, slice)[at] = row;
      counts[slice] = at + 1;
    });
    return rows;
  }
}

/** A key that a finding may repeat: a MaStR number, that of a role with its suffix, or an id. */
const KEY = new RegExp(`^(?:${MASTR_NUMBER}(?:[A-Z]{2})?|[0-9]{1,10})$`);
const MAX_KEY_LENGTH = 32;

/** Readers of keys, which return NaN for an invalid key. */
const KEYS = { mastr: mastrDigits, integer: parseInteger, text: () => 0 } as const;

const has = (record: ScannedRecord, slot: number): boolean => slot >= 0 && record.seen[slot] === record.stamp;

function hasOneOf(record: ScannedRecord, columns: readonly StagingColumn[]): boolean {
  for (const { spec } of columns) if (has(record, spec.slot)) return true;
  return false;
}

/** Bounds of a value without surrounding white space. */
function trimmed(record: ScannedRecord, slot: number): [start: number, end: number] {
  let start = int32At(record.start, slot);
  let end = int32At(record.end, slot);
  while (start < end && isBlank(unitAt(record.units, start))) start++;
  while (end > start && isBlank(unitAt(record.units, end - 1))) end--;
  return [start, end];
}
