import { say } from '../../format/language.ts';
import { Page as Frame } from '../../frame/page.tsx';
import type { DatasetVersionAnswer } from '../../v1/answers.ts';
import { mapLoaded } from '../../v1/loaded.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { Citations } from './citations.tsx';
import { DatasetsFigure } from './datasets-figure.tsx';
import { EarlierFigure } from './earlier-figure.tsx';
import { ExportFigure } from './export-figure.tsx';
import { FindingsFigure } from './findings-figure.tsx';
import { NotServed } from './not-served.tsx';
import { VERSION, VersionFacts } from './version-facts.tsx';

export const CHOICES = {};

/** Shows what the figures of all other pages rest on. */
export function Page() {
  const loaded = mapLoaded(useAnswer<DatasetVersionAnswer>(VERSION), ({ data }) => data);
  return (
    <Frame
      title={say('Daten', 'Data')}
      lead={say(
        'Welcher Stand des Registers ausgeliefert wird, was darin auffiel, unter welchen Lizenzen er steht und wie man ihn zitiert.',
        'Which state of the register is served, what was found in it, under which licences it stands and how to cite it.',
      )}
    >
      <VersionFacts loaded={loaded} />
      <DatasetsFigure />
      <div class="two-columns">
        <ExportFigure loaded={loaded} />
        <EarlierFigure loaded={loaded} />
      </div>
      <FindingsFigure loaded={loaded} />
      <Citations />
      <NotServed />
    </Frame>
  );
}
