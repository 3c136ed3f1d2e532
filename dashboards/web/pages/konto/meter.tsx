import { say } from '../../format/language.ts';
import { count, share } from '../../format/numbers.ts';

/** Shows how much of a limit is used: figures, and a bar beneath that repeats them. */
export function Meter({ label, used, limit, state }: { label: string; used: number; limit: number; state: string }) {
  const part = limit === 0 ? 1 : Math.min(1, used / limit);
  const look = state === 'ok' ? 'fill' : state === 'warning' ? 'fill warning' : 'fill bad';
  return (
    <div class="meter">
      <span>
        {label}: <b>{count(used)}</b>
        {say(' von ', ' of ')}
        {count(limit)} ({share(part)})
      </span>
      <div class="track" aria-hidden="true">
        <div class={look} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  );
}
