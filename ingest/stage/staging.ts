import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isNameOfRegister } from '../../sql/register/fields.ts';
import { MASTR_NUMBER } from '../../sql/register/mastr-number.ts';
import type { Member } from '../archive/member.ts';
import { unitAt } from '../scan/characters.ts';
import { formOf } from '../scan/form.ts';
import type { ScanHandler, ScannedRecord } from '../scan/handler.ts';
import { textOf } from '../scan/text.ts';
import { int32At } from '../scan/typed-arrays.ts';
import {
  absentColumn,
  type Column,
  columnFor,
  constantColumn,
  type DayBounds,
  faultOf,
  numberColumn,
} from './columns.ts';
import { Findings, type FindingText, type Place } from './findings.ts';
import { ParquetFile } from './parquet.ts';
import { sliceOf } from './slices.ts';
import { isBlank } from './stores.ts';
import type { StagedColumn, StagingPlan } from './tables.ts';
import { flag, integer, mastrDigits } from './values.ts';

/** Rows kept in memory before they are written: a whole part of the export, some 80 MB. */
const ROWS_IN_MEMORY = 100_000;

/** Code units of values kept in memory before they are written: some 700 a row, more than any kind of file has. */
const UNITS_IN_MEMORY = 1 << 26;

/** No record takes fewer bytes: the most rows that a member can hold follow from it. */
const MIN_RECORD = 32;

/** Columns that say where a row comes from: number of the member, of the record in it, and kind of file. */
export const ORIGIN_COLUMNS = [
  { name: '_datei', type: 'int32' },
  { name: '_zeile', type: 'int32' },
  { name: '_art', type: 'text' },
] as const;

/** The file of one member's rows of one slice of a staged table. */
export const stagedFile = (stage: string, table: string, slice: number, member: Pick<Member, 'index'>): string =>
  join(stage, table, String(slice), `${member.index}.parquet`);

/** Counts the records of a member and collects its findings. */
class MemberFindings {
  readonly findings = new Findings();
  read = 0;
  refused = 0;

  /** @param text as far as it was read; it may hold an address, so that only a number out of it is kept */
  broken(reason: string, text: string): void {
    this.read++;
    this.refused++;
    const example = ELEMENT_WITH_NUMBER.exec(text.slice(0, WHERE_KEYS_STAND))?.[1] ?? null;
    this.findings.add('datensatz_nicht_wohlgeformt', null, { note: reason.slice(0, 200) }, () => ({
      example,
      record: this.read,
    }));
  }

  unknown(element: string, text: string): void {
    const named = isNameOfRegister(element);
    const note = named ? formOf(text) : `${formOf(text)}; name of the element: ${formOf(element)}`;
    this.findings.add('element_unbekannt', named ? element : null, { note }, this.#next);
  }

  forbidden(element: string, characters: number): void {
    this.findings.add('zeichen_verboten', isNameOfRegister(element) ? element : null, {}, this.#next, characters);
  }

  stray(what: string): void {
    this.findings.add('struktur_unerwartet', null, { note: what }, this.#next);
  }

  /** The record that is told of before it has been counted. */
  readonly #next = (): Place => ({ example: null, record: this.read + 1 });
}

/** A MaStR number that is the whole text of an element: a part of a text could be of an account number. */
const ELEMENT_WITH_NUMBER = new RegExp(`>\\s*(${MASTR_NUMBER})\\s*<`);

/** The key is among the first elements of every kind of record. */
const WHERE_KEYS_STAND = 400;

/** Counts the records of a member that no table takes. */
export class Counting extends MemberFindings implements ScanHandler {
  record(): void {
    this.read++;
  }
}

interface StagingColumn {
  readonly spec: StagedColumn;
  readonly column: Column;
  /** This kind of file does not have the element. */
  readonly absent: boolean;
  /** Says what is wrong with its texts; of two columns of one element only one does. */
  readonly tells: boolean;
}

/** Takes the records of one member into Parquet files, one for each slice of its table. */
export class Staging extends MemberFindings implements ScanHandler {
  staged = 0;
  readonly #plan: StagingPlan;
  readonly #member: Pick<Member, 'index'>;
  readonly #stage: string;
  readonly #slices: number;
  readonly #capacity: number;
  readonly #columns: readonly StagingColumn[];
  /** Those of elements that this kind of file has. */
  readonly #filled: readonly StagingColumn[];
  /** Those whose values are not kept of every record. */
  readonly #withheld: readonly StagingColumn[];
  readonly #recordNumbers: Int32Array;
  readonly #sliceNumbers: Uint16Array;
  readonly #files: (ParquetFile | undefined)[] = [];
  #rows = 0;
  /** Code units of the values of these rows. */
  #units = 0;
  #present: ScannedRecord | null = null;

  /**
   * @param stage folder of the staged files
   * @param slices number of slices, for tables that are sliced
   */
  constructor(
    plan: StagingPlan,
    member: Pick<Member, 'index' | 'bytes'>,
    stage: string,
    slices: number,
    bounds: DayBounds,
  ) {
    super();
    this.#plan = plan;
    this.#member = member;
    this.#stage = stage;
    this.#slices = plan.sliced ? slices : 1;
    this.#capacity = Math.min(ROWS_IN_MEMORY, Math.ceil(member.bytes / MIN_RECORD) + 1);
    this.#recordNumbers = new Int32Array(this.#capacity);
    this.#sliceNumbers = new Uint16Array(this.#capacity);
    const named = new Set(plan.columns.map(({ name }) => name));
    this.#columns = plan.columns.map((spec) => {
      const absent = spec.slot < 0;
      return {
        spec,
        absent,
        tells: spec.name === spec.element || !named.has(spec.element),
        column: columnFor(spec.kind, absent ? 0 : this.#capacity, bounds, (item) =>
          this.findings.add('katalog_id_unbekannt', spec.element, this.#findingText(spec, item), this.#place),
        ),
      };
    });
    this.#filled = this.#columns.filter(({ absent }) => !absent);
    this.#withheld = this.#filled.filter(({ spec }) => plan.withheld?.elements.includes(spec.element));
  }

  record(record: ScannedRecord): void {
    this.read++;
    this.#present = record;
    const slice = this.#sliceOfKey(record);
    if (slice < 0) {
      this.refused++;
      return;
    }
    for (const column of this.#filled) this.#appendTo(column, record);
    this.#withhold(record);
    this.#recordNumbers[this.#rows] = record.number;
    this.#sliceNumbers[this.#rows] = slice;
    this.staged++;
    if (++this.#rows === this.#capacity || this.#units > UNITS_IN_MEMORY) this.#flush();
  }

  /** Writes what is left and the ends of the files. */
  close(): void {
    if (this.#rows > 0) this.#flush();
    for (const file of this.#files) file?.close();
  }

  abandon(): void {
    for (const file of this.#files) file?.abandon();
  }

  /** The present record, for the examples of findings. */
  readonly #place = (): Place => ({ example: this.#key(), record: this.read });

  #key(): string | null {
    const record = this.#present;
    if (record === null || !has(record, this.#plan.keySlot)) return null;
    const [start, end] = trimmed(record, this.#plan.keySlot);
    const key = textOf(record.units, start, Math.min(end, start + MAX_KEY_LENGTH));
    return KEY.test(key) ? key : null;
  }

  /** Says of a text that is no value of its column as much as privacy allows. */
  #findingText({ repeatable }: StagedColumn, text: string): FindingText {
    return repeatable ? { raw: text } : { note: formOf(text) };
  }

  #withhold(record: ScannedRecord): void {
    const { withheld } = this.#plan;
    if (withheld === null || !this.#hasWithheld(record)) return;
    if (has(record, withheld.unlessSlot)) {
      const [start, end] = trimmed(record, withheld.unlessSlot);
      if (withheld.allows(record.units, start, end)) return;
    }
    for (const { column } of this.#withheld) column.withholdLast();
  }

  #hasWithheld(record: ScannedRecord): boolean {
    for (const { spec } of this.#withheld) if (has(record, spec.slot)) return true;
    return false;
  }

  /** The slice of a record by its key; -1 when it has none, which is noted. */
  #sliceOfKey(record: ScannedRecord): number {
    const { keySlot, keyAs } = this.#plan;
    if (!has(record, keySlot)) {
      this.findings.add('schluessel_fehlt', null, {}, this.#place);
      return -1;
    }
    const [start, end] = trimmed(record, keySlot);
    const key = start === end ? Number.NaN : KEYS[keyAs](record.units, start, end);
    if (Number.isNaN(key)) {
      this.findings.add('schluessel_ungueltig', null, { note: formOf(textOf(record.units, start, end)) }, this.#place);
      return -1;
    }
    return this.#slices === 1 ? 0 : sliceOf(key, this.#slices);
  }

  #appendTo({ column, spec, tells }: StagingColumn, record: ScannedRecord): void {
    const { slot } = spec;
    if (!has(record, slot)) {
      column.appendNull();
      return;
    }
    const { units } = record;
    let start = int32At(record.start, slot);
    let end = int32At(record.end, slot);
    while (start < end && isBlank(unitAt(units, start))) start++;
    while (end > start && isBlank(unitAt(units, end - 1))) end--;
    if (start === end) {
      column.appendNull();
      return;
    }
    if (this.#isNotAvailable(record, spec.notAvailableSlot)) {
      column.appendNull();
      if (tells) this.findings.add('wert_trotz_nv', spec.element, {}, this.#place);
      return;
    }
    this.#units += end - start;
    if (column.append(units, start, end) || !tells) return;
    const fault = faultOf(spec.kind, units, start, end);
    if (fault !== null)
      this.findings.add(fault, spec.element, this.#findingText(spec, textOf(units, start, end)), this.#place);
  }

  #isNotAvailable(record: ScannedRecord, slot: number): boolean {
    if (!has(record, slot)) return false;
    const [start, end] = trimmed(record, slot);
    return flag(record.units, start, end) === 1;
  }

  /** Writes the rows in memory, one row group for each slice. */
  #flush(): void {
    for (let slice = 0; slice < this.#slices; slice++) {
      const rows = this.#rowsOf(slice);
      if (rows.length > 0) this.#writeRows(slice, rows);
    }
    this.#rows = 0;
    this.#units = 0;
    for (const { column } of this.#filled) column.clear();
  }

  #rowsOf(slice: number): Int32Array {
    const rows = new Int32Array(this.#rows);
    let count = 0;
    for (let row = 0; row < this.#rows; row++) if (this.#sliceNumbers[row] === slice) rows[count++] = row;
    return rows.subarray(0, count);
  }

  #writeRows(slice: number, rows: Int32Array): void {
    this.#files[slice] ??= this.#open(slice);
    this.#files[slice].writeRowGroup(rows.length, [
      numberColumn(new Int32Array(rows.length).fill(this.#member.index)),
      numberColumn(rows.map((row) => int32At(this.#recordNumbers, row))),
      constantColumn(this.#plan.kind, rows.length),
      ...this.#columns.map(({ column, absent }) => (absent ? absentColumn(rows.length) : column.encode(rows))),
    ]);
  }

  #open(slice: number): ParquetFile {
    const path = stagedFile(this.#stage, this.#plan.table, slice, this.#member);
    mkdirSync(join(path, '..'), { recursive: true });
    return new ParquetFile(path, [
      ...ORIGIN_COLUMNS,
      ...this.#columns.map(({ spec, column }) => ({ name: spec.name, type: column.type })),
    ]);
  }
}

/** A key that may be told: a MaStR number, that of a role with its suffix, or an id. */
const KEY = new RegExp(`^(?:${MASTR_NUMBER}(?:[A-Z]{2})?|[0-9]{1,10})$`);
const MAX_KEY_LENGTH = 32;

/** Keys as numbers; NaN for what is no key. */
const KEYS = { mastr: mastrDigits, integer, text: () => 0 } as const;

const has = (record: ScannedRecord, slot: number): boolean => slot >= 0 && record.seen[slot] === record.stamp;

/** Bounds of a value without the white space around it. */
function trimmed(record: ScannedRecord, slot: number): [start: number, end: number] {
  let start = int32At(record.start, slot);
  let end = int32At(record.end, slot);
  while (start < end && isBlank(unitAt(record.units, start))) start++;
  while (end > start && isBlank(unitAt(record.units, end - 1))) end--;
  return [start, end];
}
