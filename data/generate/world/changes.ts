/** What nights with a chosen number of changes have done to units and operators. */
import { ENDED, RUNNING } from './status.ts';
import { NONE } from './text.ts';

/** An export that came a day later with this many changed units; days are numbers since 1970-01-01. */
export interface Night {
  readonly day: number;
  readonly changes: number;
}

/** A planned unit is commissioned or moved to another day; power is corrected; a unit leaves; or only its time is new. */
export type Event = 'commissioned' | 'moved' | 'power' | 'left' | 'touched';

export interface Change {
  readonly day: number;
  readonly event: Event;
}

/** Units that had come by the end of a night. */
export interface Arrivals {
  readonly day: number;
  /** By carrier code, as the counts of a world. */
  readonly counts: readonly number[];
}

export interface Changes {
  readonly arrivals: readonly Arrivals[];
  /** By `imprintKey`. */
  readonly units: ReadonlyMap<number, Change>;
  /** Operators with another name, by their keys, and the day of it. */
  readonly renamed: ReadonlyMap<number, number>;
}

export const NO_CHANGES: Changes = { arrivals: [], units: new Map(), renamed: new Map() };

/** What a night may change of a unit. */
interface Changeable {
  readonly index: number;
  updated: number;
  deleted: number;
  systemStatus: number;
  status: number;
  planned: number;
  commissioned: number;
  registered: number;
  gross: number;
  net: number;
}

export function applyChange(unit: Changeable, { day, event }: Change): void {
  unit.updated = day;
  switch (event) {
    case 'left':
      unit.deleted = day;
      unit.systemStatus = ENDED;
      break;
    case 'commissioned':
      unit.status = RUNNING;
      unit.planned = NONE;
      unit.commissioned = day - (unit.index % 20);
      unit.registered = day;
      break;
    case 'moved':
      unit.planned += 30 + (unit.index % 90);
      break;
    case 'power':
      unit.gross = Math.round(unit.gross * 95) / 100;
      unit.net = Math.min(unit.net, unit.gross);
  }
}
