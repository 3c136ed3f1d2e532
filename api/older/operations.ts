import type { Operation } from '../operation/operation.ts';
import { aggregateOlder } from './aggregate.ts';
import { listOlderUnits } from './list.ts';
import { showOlderUnit } from './show.ts';
import { showOlderUsage } from './usage.ts';

/** The older variant of the interface, which the setting OLDER_API switches off. */
export const OLDER_OPERATIONS: readonly Operation[] = [listOlderUnits, showOlderUnit, aggregateOlder, showOlderUsage];
