/** Catalogue values of a unit's state of operation, of its record, and of the check by the grid operator. */

export const PLANNED = 31;
export const RUNNING = 35;
export const PAUSED = 37;
export const CLOSED = 38;

export const ACTIVE = 472;
export const ENDED = 572;

export const CHECKED = 2954;
export const IN_CHECK = 2955;
export const NO_CHECK = 3075;
