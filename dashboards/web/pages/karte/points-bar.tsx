import { say } from '../../format/language.ts';
import { Failed, Waiting } from '../../frame/state.tsx';
import type { Loaded } from '../../v1/loaded.ts';

/** Turns the points on and off, and says how far they are. */
export function PointsBar({
  canShow,
  isShown,
  onToggle,
  points,
  about,
  eventId,
  onLeaveEvent,
}: {
  canShow: boolean;
  isShown: boolean;
  onToggle: () => void;
  points: Loaded<unknown> | null;
  /** What is seen, in a sentence; null = nothing yet. */
  about: string | null;
  eventId: string;
  onLeaveEvent: () => void;
}) {
  return (
    <div class="points-bar">
      {canShow && eventId === '' && (
        <button type="button" aria-pressed={isShown} onClick={onToggle}>
          {isShown ? say('Punkte ausblenden', 'Hide points') : say('Einheiten als Punkte', 'Units as points')}
        </button>
      )}
      {eventId !== '' && (
        <p>
          {say('Die Punkte sind die Einheiten eines Ereignisses.', 'The points are the units of an event.')}{' '}
          <button type="button" onClick={onLeaveEvent}>
            {say('Ausblenden', 'Hide')}
          </button>
        </p>
      )}
      {points?.state === 'failed' && (
        <Failed
          problem={points.problem}
          retry={points.retry}
          shows={say('die Einheiten als Punkte', 'the units as points')}
        />
      )}
      {points?.state === 'loading' && (points.previous === null || points.waitingUntil !== null) && (
        <Waiting loaded={points} height={0} />
      )}
      {about !== null && <p class="note">{about}</p>}
    </div>
  );
}
