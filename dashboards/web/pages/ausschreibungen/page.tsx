import { oneOf, useChoices } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { ALL_ROUNDS, isAhead } from '../../tenders/rounds.ts';
import { TECHNOLOGIES, technologyName } from '../../tenders/technologies.ts';
import { mapLoaded } from '../../v1/loaded.ts';
import type { TenderRounds } from '../../v1/tender-answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { LatestRound } from './latest-round.tsx';
import { PricesFigure } from './prices-figure.tsx';
import { RoundsFigure } from './rounds-figure.tsx';
import { TechnologyChoice } from './technology-choice.tsx';
import { UpcomingFigure } from './upcoming-figure.tsx';
import { VolumesFigure } from './volumes-figure.tsx';

export const CHOICES = { technologie: oneOf(TECHNOLOGIES) };

export function Page() {
  const [{ technologie }, change] = useChoices(CHOICES);
  const loaded = mapLoaded(useAnswer<TenderRounds>(ALL_ROUNDS), ({ data }) => {
    const rounds = data.filter((round) => round.technologie === technologie).toReversed();
    return { past: rounds.filter((round) => !isAhead(round)), ahead: rounds.filter(isAhead) };
  });
  const past = mapLoaded(loaded, (rounds) => rounds.past);
  const name = technologyName(technologie);
  return (
    <KeptPage
      title={say('Ausschreibungen', 'Tenders')}
      about={[name]}
      lead={say(
        'Was die Bundesnetzagentur je Gebotstermin ausgeschrieben hat, was geboten und was bezuschlagt wurde, und zu welchen Werten.',
        'What the Bundesnetzagentur put out to tender at each bid date, what was bid and what was awarded, and at which values.',
      )}
    >
      <TechnologyChoice value={technologie} onChange={(next) => change({ technologie: next })} />
      <LatestRound loaded={past} />
      <div class="two-columns">
        <VolumesFigure loaded={past} name={name} />
        <PricesFigure loaded={past} name={name} />
      </div>
      <UpcomingFigure loaded={mapLoaded(loaded, (rounds) => rounds.ahead)} name={name} />
      <RoundsFigure loaded={past} name={name} />
    </KeptPage>
  );
}
