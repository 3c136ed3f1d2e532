import type { Member } from '../archive/archive.ts';
import type { ScanHandler, ScannedRecord } from '../scan/scanner.ts';
import { textOf } from '../scan/text.ts';
import { type Column, columnFor, constantColumn, type DayBounds, faultOf, Int32Column, isBlank } from './columns.ts';
import { Findings } from './findings.ts';
import { ParquetFile } from './parquet.ts';
import type { StagedColumn, StagingPlan } from './tables.ts';
import { flag, integer, mastrDigits } from './values.ts';

/** Rows of a row group: enough for the engine to read quickly, few enough for a worker's memory (some 30 MB). */
const ROWS_PER_GROUP = 32_768;

/** No record takes fewer bytes: the most rows that a member can hold follow from it. */
const SMALLEST_RECORD = 32;

/** Columns that say where a row comes from: number of the member, of the record in it, and kind of file. */
export const ORIGIN_COLUMNS = [
  { name: '_datei', type: 'int32' },
  { name: '_zeile', type: 'int32' },
  { name: '_art', type: 'text' },
] as const;

/** Takes the records of one member into a Parquet file. */
export class Staging implements ScanHandler {
  readonly findings: Findings;
  read = 0;
  refused = 0;
  staged = 0;
  readonly #plan: StagingPlan;
  readonly #member: number;
  readonly #capacity: number;
  readonly #columns: readonly { readonly spec: StagedColumn; readonly column: Column }[];
  readonly #memberColumn: Int32Column;
  readonly #recordColumn: Int32Column;
  readonly #file: ParquetFile;
  #rows = 0;

  /** @param member the number of the member is kept with every row */
  constructor(plan: StagingPlan, member: Pick<Member, 'index' | 'bytes'>, path: string, bounds: DayBounds) {
    this.#plan = plan;
    this.#member = member.index;
    this.#capacity = Math.min(ROWS_PER_GROUP, Math.ceil(member.bytes / SMALLEST_RECORD) + 1);
    this.#memberColumn = new Int32Column('int32', this.#capacity, () => Number.NaN);
    this.#recordColumn = new Int32Column('int32', this.#capacity, () => Number.NaN);
    this.findings = new Findings();
    this.#columns = plan.columns.map((spec) => ({
      spec,
      column: columnFor(spec.kind, this.#capacity, bounds, (raw) =>
        this.findings.add('katalog_id_unbekannt', spec.element, raw, this.#key),
      ),
    }));
    this.#file = new ParquetFile(path, [
      ...ORIGIN_COLUMNS,
      ...this.#columns.map(({ spec, column }) => ({ name: spec.name, type: column.type })),
    ]);
  }

  #present: ScannedRecord | null = null;

  /** Key of the present record, for the examples of findings. */
  readonly #key = (): string | null => {
    const record = this.#present;
    if (record === null || !has(record, this.#plan.keySlot)) return null;
    return textOf(record.units, record.start[this.#plan.keySlot]!, record.end[this.#plan.keySlot]!).slice(0, 64);
  };

  record(record: ScannedRecord): void {
    this.read++;
    this.#present = record;
    if (!this.#hasKey(record)) {
      this.refused++;
      return;
    }
    for (const { spec, column } of this.#columns) this.#appendTo(column, spec, record);
    this.#memberColumn.put(this.#member);
    this.#recordColumn.put(record.number);
    this.staged++;
    if (++this.#rows === this.#capacity) this.#flush();
  }

  broken(reason: string, text: string): void {
    this.read++;
    this.refused++;
    // The text may hold an address, so only the reason is kept, and the first MaStR number as an example.
    const key = /[A-Z]{3}[0-9]{12}/.exec(text.slice(0, 400))?.[0] ?? null;
    this.findings.add('datensatz_nicht_wohlgeformt', null, reason.slice(0, 200), () => key);
  }

  unknown(element: string, text: string): void {
    this.findings.add('element_unbekannt', element, text, () => null);
  }

  forbidden(element: string, characters: number): void {
    this.findings.add('zeichen_verboten', element, null, () => null, characters);
  }

  stray(what: string): void {
    this.findings.add('struktur_unerwartet', null, what, () => null);
  }

  /** Writes what is left and the end of the file. */
  close(): void {
    if (this.#rows > 0) this.#flush();
    this.#file.close();
  }

  abandon(): void {
    this.#file.abandon();
  }

  #hasKey(record: ScannedRecord): boolean {
    const { keySlot, keyAs } = this.#plan;
    if (!has(record, keySlot)) {
      this.findings.add('schluessel_fehlt', null, null, () => null);
      return false;
    }
    const [start, end] = trimmed(record, keySlot);
    if (start === end || (keyAs !== 'text' && Number.isNaN(KEYS[keyAs](record.units, start, end)))) {
      this.findings.add('schluessel_ungueltig', null, textOf(record.units, start, end), () => null);
      return false;
    }
    return true;
  }

  #appendTo(column: Column, spec: StagedColumn, record: ScannedRecord): void {
    const { slot } = spec;
    if (slot < 0 || record.seen[slot] !== record.stamp) {
      column.appendNull();
      return;
    }
    const { units } = record;
    let start = record.start[slot]!;
    let end = record.end[slot]!;
    while (start < end && isBlank(units[start]!)) start++;
    while (end > start && isBlank(units[end - 1]!)) end--;
    if (start === end) {
      column.appendNull();
      return;
    }
    if (spec.notAvailableSlot >= 0 && this.#isNotAvailable(record, spec.notAvailableSlot)) {
      column.appendNull();
      this.findings.add('wert_trotz_nv', spec.element, null, this.#key);
      return;
    }
    if (column.append(units, start, end)) return;
    this.findings.add(faultOf(spec.kind, units, start, end), spec.element, textOf(units, start, end), this.#key);
  }

  #isNotAvailable(record: ScannedRecord, slot: number): boolean {
    if (!has(record, slot)) return false;
    const [start, end] = trimmed(record, slot);
    return flag(record.units, start, end) === 1;
  }

  #flush(): void {
    this.#file.writeRowGroup(this.#rows, [
      this.#memberColumn.take(),
      this.#recordColumn.take(),
      constantColumn(this.#plan.kind, this.#rows),
      ...this.#columns.map(({ column }) => column.take()),
    ]);
    this.#rows = 0;
  }
}

const KEYS = { mastr: mastrDigits, integer } as const;

const has = (record: ScannedRecord, slot: number): boolean => slot >= 0 && record.seen[slot] === record.stamp;

/** Bounds of a value without the white space around it. */
function trimmed(record: ScannedRecord, slot: number): [start: number, end: number] {
  let start = record.start[slot]!;
  let end = record.end[slot]!;
  while (start < end && isBlank(record.units[start]!)) start++;
  while (end > start && isBlank(record.units[end - 1]!)) end--;
  return [start, end];
}

/** Counts the records of a member that no table takes. */
export class Counting implements ScanHandler {
  readonly findings = new Findings();
  read = 0;
  refused = 0;

  record(): void {
    this.read++;
  }

  broken(reason: string): void {
    this.read++;
    this.refused++;
    this.findings.add('datensatz_nicht_wohlgeformt', null, reason.slice(0, 200), () => null);
  }

  unknown(element: string, text: string): void {
    this.findings.add('element_unbekannt', element, text, () => null);
  }

  forbidden(element: string, characters: number): void {
    this.findings.add('zeichen_verboten', element, null, () => null, characters);
  }

  stray(what: string): void {
    this.findings.add('struktur_unerwartet', null, what, () => null);
  }
}
