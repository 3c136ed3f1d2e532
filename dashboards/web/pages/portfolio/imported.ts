import { say } from '../../format/language.ts';
import type { SheetCell } from '../../sheets/read-sheet.ts';
import { type Role, roleOf } from '../../units/roles.ts';
import type { OwnField } from '../../v1/unit-answers.ts';
import type { NewValue } from './change.ts';
import { type Pasted, readPasted } from './pasted.ts';

/** Rows of a file as entries of the portfolio: number, role, identifiers, and own fields by their names. */

export interface Imported extends Pasted {
  /** Identifiers in other systems, by number; those of systems that have no column stay. */
  readonly references: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Values of own fields; an empty cell leaves what is there. */
  readonly values: readonly NewValue[];
  /** Heads of columns that mean nothing here. */
  readonly ignored: readonly string[];
  /** True: rows without a role say nothing about roles, so entries keep theirs. */
  readonly keepsRoles: boolean;
}

/** What was pasted has numbers and roles alone. */
export const asImported = (pasted: Pasted): Imported => ({
  ...pasted,
  ...{ references: new Map(), values: [], ignored: [], keepsRoles: false },
});

const NUMBER_HEADS = /^(mastr|see)?[\s_-]*(nummer|nr\.?|number)( der einheit)?$|^(einheit|unit)$/i;
const ROLE_HEADS = /^(rolle|role|relation ?type)( der organisation)?$/i;
const ALL_REFERENCES = /^(eigene )?kennungen$|^external ?refs$|^identifiers$/i;
/** „Kennung CRM“, „Kennung: CRM“. */
const REFERENCE = /^(?:kennung|identifier|externalrefs)[\s:.]+(.+)$/i;

type Column =
  | { readonly is: 'number' | 'role' | 'references' }
  | { readonly system: string }
  | { readonly field: OwnField };

/** @returns null where no column is headed as the number of the unit */
export function readImported(rows: readonly (readonly SheetCell[])[], fields: readonly OwnField[]): Imported | null {
  const headAt = rows.findIndex((row) => row.some((cell) => NUMBER_HEADS.test(textOf(cell))));
  const head = rows[headAt]?.map(textOf);
  if (head === undefined) return null;
  const columns = head.map((name) => columnOf(name, fields));
  const numberAt = columns.findIndex((column) => column !== null && 'is' in column && column.is === 'number');
  const entries: Entry[] = [];
  const repeated = new Set<string>();
  const faulty: { text: string; why: string }[] = [];
  const known = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (index <= headAt) continue;
    const line = index + 1;
    const fail = (why: string): void => {
      faulty.push({ text: say(`Zeile ${line}`, `Row ${line}`), why });
    };
    const written = textOf(row[numberAt]);
    const { numbers, faulty: wrong } = readPasted(written);
    const [number] = numbers;
    if (number === undefined || numbers.length > 1) {
      fail(
        wrong[0] === undefined
          ? say('hat keine Nummer einer Einheit', 'has no number of a unit')
          : `${wrong[0].text}: ${wrong[0].why}`,
      );
      continue;
    }
    if (known.has(number)) {
      repeated.add(number);
      continue;
    }
    known.add(number);
    const entry = readRow(number, row, columns);
    if (typeof entry === 'string') fail(entry);
    else entries.push(entry);
  }
  return {
    numbers: entries.map(({ number }) => number),
    repeated: [...repeated],
    roles: new Map(entries.flatMap(({ number, role }) => (role === null ? [] : [[number, role] as const]))),
    references: new Map(
      entries.flatMap(({ number, references }) =>
        Object.keys(references).length === 0 ? [] : [[number, references] as const],
      ),
    ),
    values: entries.flatMap(({ values }) => values),
    faulty,
    ignored: head.filter((name, place) => name !== '' && columns[place] === null),
    keepsRoles: columns.some((column) => column !== null && (!('is' in column) || column.is !== 'number')),
  };
}

interface Entry {
  readonly number: string;
  readonly role: Role | null;
  readonly references: Record<string, string>;
  readonly values: readonly NewValue[];
}

function columnOf(name: string, fields: readonly OwnField[]): Column | null {
  // An own field is meant by its whole name, whatever else that could mean.
  const field = fields.find((one) => one.name.trim().toLowerCase() === name.toLowerCase());
  if (field !== undefined) return { field };
  if (NUMBER_HEADS.test(name)) return { is: 'number' };
  if (ROLE_HEADS.test(name)) return { is: 'role' };
  if (ALL_REFERENCES.test(name)) return { is: 'references' };
  const system = REFERENCE.exec(name)?.[1];
  return system === undefined ? null : { system };
}

/** @returns a text that says what is wrong with the row */
function readRow(number: string, row: readonly SheetCell[], columns: readonly (Column | null)[]): Entry | string {
  let role: Role | null = null;
  const references: Record<string, string> = {};
  const values: NewValue[] = [];
  for (const [place, column] of columns.entries()) {
    const cell = row[place] ?? null;
    const written = textOf(cell);
    if (column === null || written === '') continue;
    if ('field' in column) {
      const read = valuesOf(column.field, cell, number);
      if (typeof read === 'string') return read;
      values.push(...read);
    } else if ('system' in column) references[column.system] = written;
    else if (column.is === 'role') {
      role = roleOf(written);
      if (role === null) return say(`„${written}“ ist keine Rolle`, `“${written}” is no role`);
    } else if (column.is === 'references') {
      for (const part of written.split(/;\s*/)) {
        const [, system, id] = /^([^:]+):\s*(.+)$/.exec(part) ?? [];
        if (system === undefined || id === undefined)
          return say(`„${part}“ ist keine Kennung wie „crm: A-17“`, `“${part}” is no identifier like “crm: A-17”`);
        references[system.trim()] = id;
      }
    }
  }
  return { number, role, references, values };
}

function valuesOf(
  { id: defId, name, typ, mehrfachwerte }: OwnField,
  cell: SheetCell,
  mastrNummer: string,
): NewValue[] | string {
  const place = { mastrNummer, defId };
  const parts = mehrfachwerte && typeof cell === 'string' ? cell.split(/\s*[;\n]\s*/).filter(Boolean) : [cell];
  const read = parts.map((part): NewValue | string => {
    const written = textOf(part);
    if (typ === 'NUMBER') {
      const zahl = typeof part === 'number' ? part : numberOf(written);
      return zahl === null
        ? say(`${name}: „${written}“ ist keine Zahl`, `${name}: “${written}” is no number`)
        : { ...place, zahl };
    }
    if (typ === 'DATE') {
      const day = part instanceof Date ? { datum: part.toISOString().slice(0, 10) } : dayOf(written);
      return day === null
        ? say(`${name}: „${written}“ ist kein Tag`, `${name}: “${written}” is no day`)
        : { ...place, ...day };
    }
    return { ...place, text: written };
  });
  const fault = read.find((one) => typeof one === 'string');
  return fault === undefined ? (read as NewValue[]) : (fault as string);
}

/** A number in German or English notation: 1.234,5 or 1234.5. */
function numberOf(text: string): number | null {
  const digits = text.replace(/[\s\u00a0\u202f]/g, '');
  const plain =
    /,\d+$/.test(digits) || /^-?\d{1,3}(\.\d{3})+$/.test(digits)
      ? digits.replaceAll('.', '').replace(',', '.')
      : digits;
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

function dayOf(text: string): { readonly datum: string; readonly datumsgenauigkeit?: string } | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text) ?? [];
  if (year !== undefined) return written(year, month, day);
  const [, germanDay, germanMonth, germanYear] = /^(?:(\d{1,2})\.)?(\d{1,2})[./](\d{4})$/.exec(text) ?? [];
  return germanYear === undefined ? null : written(germanYear, germanMonth, germanDay);
}

const written = (year: string, month = '', day?: string) => ({
  datum: `${year}-${month.padStart(2, '0')}-${(day ?? '01').padStart(2, '0')}`,
  ...(day === undefined ? { datumsgenauigkeit: 'MONTH' } : {}),
});

const textOf = (cell: SheetCell | undefined): string => {
  if (cell == null) return '';
  return (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)).trim();
};
