/** The list of members of an export: numbered parts with the stretch of objects that each of them holds. */

import { entryOf } from '../../runtime/present.ts';
import type { Table } from './tables.ts';
import { baseOf } from './world/random.ts';
import type { World } from './world/world.ts';

/** These values and the world determine the bytes of an export. */
export interface Layout {
  /** Most records of one part. */
  readonly partSize: number;
  /** True to leave out malformed XML. */
  readonly clean: boolean;
  /** Level of deflate, 1 to 9. */
  readonly level: number;
}

/** Place of a record: source of the table, object, number of the record of that object. */
export interface Place {
  readonly source: number;
  readonly index: number;
}

export interface Member {
  readonly name: string;
  /** Position of the table in the list of tables. */
  readonly table: number;
  readonly from: Place;
  /** First object that is no longer part of the member. */
  readonly to: Place;
  /** Object whose last record comes again at the beginning, the last one of the part before. */
  readonly repeated: Place | undefined;
  readonly records: number;
}

/** Share of part borders at which the last record is repeated. */
const REPEATED_SHARE = 0.5;

interface Part {
  from: Place;
  to: Place;
  repeated: Place | undefined;
  records: number;
}

/** Cuts a table into parts of at most `partSize` records. The objects of one index stay together. */
function partsOf(table: Table, partSize: number, repeats: (part: number) => boolean): Part[] {
  const parts: Part[] = [];
  let part: Part = { from: { source: 0, index: 0 }, to: { source: 0, index: 0 }, repeated: undefined, records: 0 };
  let last: Place | undefined;
  table.sources.forEach((source, s) => {
    for (let index = 0; index < source.size; index++) {
      const count = source.count(index);
      if (count === 0) continue;
      if (part.records + count > partSize) {
        const border: Place = { source: s, index };
        part.to = border;
        parts.push(part);
        const repeated = repeats(parts.length) ? last : undefined;
        part = { from: border, to: border, repeated, records: repeated ? 1 : 0 };
      }
      part.records += count;
      last = { source: s, index };
    }
  });
  part.to = { source: table.sources.length, index: 0 };
  parts.push(part);
  return parts;
}

/** All members in the order of the archive. */
export function membersOf(world: World, tables: readonly Table[], { partSize }: Layout): Member[] {
  const members = tables.flatMap((table, t) => {
    // The first border of a table always repeats its record.
    const parts = partsOf(
      table,
      partSize,
      (part) => part === 1 || baseOf(world.seed, t, part) / 4294967296 < REPEATED_SHARE,
    );
    const numbered = table.numbered || parts.length > 1;
    return parts.map(
      (part, i): Member => ({ ...part, table: t, name: numbered ? `${table.file}_${i + 1}.xml` : `${table.file}.xml` }),
    );
  });
  const rank = new Map(members.map(({ name }) => [name, baseOf(world.seed, name.length, hashText(name))]));
  return members.sort((a, b) => entryOf(rank, a.name) - entryOf(rank, b.name) || (a.name < b.name ? -1 : 1));
}

function hashText(text: string): number {
  let hash = 0;
  for (const char of text) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return hash;
}
