import type { Names } from '../../sql/warehouse/search/names.ts';
import type { VersionReader } from './version.ts';

/** The time for which a request has waited for the engine. */
export interface EngineTime {
  /** Milliseconds in which at least one piece of its work was under way there. */
  ms: number;
}

/** Adds to `time` what the calls of the reader take; calls at the same time count once. */
export function timedReader(reader: VersionReader, time: EngineTime): VersionReader {
  let running = 0;
  let began = 0;
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running++ === 0) began = performance.now();
    try {
      return await work();
    } finally {
      if (--running === 0) time.ms += performance.now() - began;
    }
  };
  const { dialects, tables, units, search, orders, regionDays } = reader;
  const timedNames = ({ find, records }: Names): Names => ({
    find: (request) => timed(() => find(request)),
    records: (found) => timed(() => records(found)),
  });
  return {
    dialects,
    tables,
    query: (shape, statement) => timed(() => reader.query(shape, statement)),
    kept: (shape, statement) => timed(() => reader.kept(shape, statement)),
    total: (statement) => timed(() => reader.total(statement)),
    units: {
      listed: units.listed,
      existing: (numbers) => timed(() => units.existing(numbers)),
      read: (numbers, columns) => timed(() => units.read(numbers, columns)),
    },
    search:
      search === null
        ? null
        : {
            places: search.places,
            unitsWith: (word) => timed(() => search.unitsWith(word)),
            unitNames: timedNames(search.unitNames),
            actors: timedNames(search.actors),
          },
    orders: orders === null ? null : { ...orders, page: (page) => timed(() => orders.page(page)) },
    regionDays:
      regionDays === null
        ? null
        : {
            withPostcode: regionDays.withPostcode,
            read: (regions, takes) => timed(() => regionDays.read(regions, takes)),
          },
  };
}
