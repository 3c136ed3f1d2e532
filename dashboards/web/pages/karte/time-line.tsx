import { useEffect, useState } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { FIRST_MAP_YEAR } from './map-choices.ts';

/** Milliseconds of a year while the time line plays. */
const STEP = 700;

/** Visitors who do not want motion go from year to year by hand. */
const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Chooses the year that the map shows, and plays from one to the next. */
export function TimeLine({
  year,
  last,
  isReady,
  onChange,
  onClose,
}: {
  year: number;
  /** The year of the register's day. */
  last: number;
  /** False: the years are being loaded, and time stands still. */
  isReady: boolean;
  onChange: (year: number) => void;
  onClose: () => void;
}) {
  const [isPlaying, play] = useState(false);
  useEffect(() => {
    if (!isPlaying || !isReady) return;
    if (year >= last) {
      play(false);
      return;
    }
    const timer = setTimeout(() => onChange(year + 1), STEP);
    return () => clearTimeout(timer);
  }, [isPlaying, isReady, year, last]);
  const next = year >= last ? FIRST_MAP_YEAR : year + 1;
  const start = (): void => {
    if (year >= last) onChange(FIRST_MAP_YEAR);
    play(true);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of controls that is no form
    <div class="time-line" role="group" aria-label={say('Zeitleiste', 'Time line')}>
      {wantsNoMotion() ? (
        <button type="button" onClick={() => onChange(next)}>
          {say('Nächstes Jahr', 'Next year')}
        </button>
      ) : (
        <button type="button" onClick={isPlaying ? () => play(false) : start}>
          <span aria-hidden="true">{isPlaying ? '❚❚' : '▶'}</span>{' '}
          {isPlaying ? say('Anhalten', 'Pause') : say('Abspielen', 'Play')}
        </button>
      )}
      <input
        type="range"
        aria-label={say('Jahr', 'Year')}
        min={FIRST_MAP_YEAR}
        max={last}
        value={year}
        onInput={(event) => {
          play(false);
          onChange(Number(event.currentTarget.value));
        }}
      />
      <output>{year}</output>
      <button type="button" class="quiet" onClick={onClose}>
        {say('Zeitleiste schließen', 'Close time line')}
      </button>
    </div>
  );
}
