import { TECHNOLOGIES, technologyName } from '../../tenders/technologies.ts';
import type { Technology } from '../../v1/tender-answers.ts';

/** Buttons of one choice: arrow keys go from one to the next. */
export function TechnologyChoice({ value, onChange }: { value: Technology; onChange: (next: Technology) => void }) {
  return (
    <fieldset class="choices pills">
      <legend>Technologie</legend>
      {TECHNOLOGIES.map((technology) => (
        <label key={technology}>
          <input
            type="radio"
            name="technologie"
            value={technology}
            checked={technology === value}
            onChange={() => onChange(technology)}
          />
          <span>{technologyName(technology)}</span>
        </label>
      ))}
    </fieldset>
  );
}
