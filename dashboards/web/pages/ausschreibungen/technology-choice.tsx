import { say } from '../../format/language.ts';
import { Segmented } from '../../frame/segmented.tsx';
import { TECHNOLOGIES, technologyName } from '../../tenders/technologies.ts';
import type { Technology } from '../../v1/tender-answers.ts';

const WORDS = TECHNOLOGIES.map((value) => ({ value, name: technologyName(value) }));

export function TechnologyChoice({ value, onChange }: { value: Technology; onChange: (next: Technology) => void }) {
  return (
    <div class="choices">
      <Segmented label={say('Technologie', 'Technology')} value={value} words={WORDS} onChange={onChange} />
    </div>
  );
}
