import type { Document, RegisterExport, Row } from './exports.ts';

/** Random histories of a register, day by day. */

/** Numbers below a bound, the same for the same seed. */
export function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const DAYS_FURTHER = [0, 1, 1, 1, 2, 30];

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Kinds whose values are labels of others, or that no unit depends on. */
const LEFT_ALONE =
  /^(Katalog|Einheitentypen|Lokationstypen|Marktfunktionen|EinheitenAenderung|EinheitenGas|EinheitenStromVerbraucher)/;

/** Changes some records as the register might, and as it should not. */
export function nextDay(register: RegisterExport, gone: Map<Document, Row[]>, draw: (below: number) => number): void {
  const documents = [...register.files].filter(([name, { records }]) => !LEFT_ALONE.test(name) && records.length > 2);
  for (let edits = 1 + draw(14); edits > 0; edits--) {
    const [, document] = documents[draw(documents.length)]!;
    const { records } = document;
    const at = draw(records.length);
    const record = records[at]!;
    const other = records[draw(records.length)]!;
    const names = Object.keys(draw(3) === 0 ? record : other);
    const name = names[draw(names.length)]!;
    switch (draw(10)) {
      case 0:
        gone.set(document, [...(gone.get(document) ?? []), record]);
        records.splice(at, 1);
        break;
      case 1: {
        const returned = gone.get(document)?.pop();
        if (returned !== undefined) records.splice(at, 0, returned);
        break;
      }
      case 2:
        delete record[name];
        break;
      case 3:
        // Another record, which has most in common with one that is there.
        records.push({ ...record, [name]: other[name] ?? '' });
        break;
      case 4:
        if (/Name|bezeichnung|Firmenname|Ort/i.test(name)) record[name] = `Neu ${draw(1000)}`;
        break;
      default:
        if (other[name] === undefined) delete record[name];
        else record[name] = other[name];
    }
  }
}
