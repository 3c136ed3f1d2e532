import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildReport, readReport } from '../../ingest/run/build-report.ts';
import { listVersions } from '../../sql/warehouse/versions.ts';
import { type Document, generateExport, RegisterExport, type Row } from './exports.ts';
import { sharedFolder } from './shared-folder.ts';
import { buildIn } from './warehouse.ts';

/** Random histories of a register, day by day. */

/** Numbers below a bound, the same for the same seed. */
export function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const DAYS_FURTHER = [0, 1, 1, 1, 2, 30];

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

/** What a night does wrong stays in the versions after it, unless those compute it again: few nights show it. */
const NIGHTS = 5;

/** Days of a register, and the versions that nights made of them in files. */
interface Nights {
  readonly warehouse: string;
  readonly days: readonly { readonly source: string; readonly report: BuildReport }[];
}

/**
 * Puts a random history of the small register into a folder that is not there yet: every day as an export, and a warehouse with the
 * versions that nights made in files. It is built once in a run for each seed.
 */
export async function nightsInFiles(folder: string, seed: number): Promise<Nights> {
  const made = await sharedFolder(`nights-${seed}`, async (draft) => {
    const draw = drawing(seed);
    const now = await RegisterExport.read(await generateExport(draft, '2026-11-01'));
    const gone = new Map<Document, Row[]>();
    let day = '2026-06-01';
    for (let night = 0; night < NIGHTS; night++) {
      // Some days come twice.
      const source = now.write(join(draft, 'days', String(night)), day);
      // Every other night joins its units in several slices.
      const slices = night % 2 === 0 ? {} : { unitsAtOnce: 40 };
      await buildIn(join(draft, 'warehouse'), source, { force: true, keep: NIGHTS, ...slices });
      nextDay(now, gone, draw);
      day = dayAfter(day, DAYS_FURTHER[draw(DAYS_FURTHER.length)]!);
    }
  });
  cpSync(made, folder, { recursive: true });
  const warehouse = join(folder, 'warehouse');
  return {
    warehouse,
    days: listVersions(warehouse).map(({ id }, night) => {
      const report = readReport(warehouse, id)!;
      return { source: join(folder, 'days', String(night), report.source), report };
    }),
  };
}
