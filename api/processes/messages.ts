import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { PoolSizes } from '../../sql/org/postgres.ts';
import type { KeyNews } from '../access/peers.ts';

/** Messages between the processes of a service: the first one, which started them, and its workers. */

/** All metrics of a process, as a registry writes them. */
export type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[];

export type ToWorker =
  /** The first message. `worker` is its number, from 1; one that takes the place of another takes its number. */
  | { readonly kind: 'begin'; readonly worker: number; readonly pools: PoolSizes }
  | { readonly kind: 'news'; readonly news: KeyNews }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'stop' };

export type FromWorker =
  /** It listens. */
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'news'; readonly news: KeyNews }
  | { readonly kind: 'metrics'; readonly id: number; readonly values: MetricValues };
