import { text, useChoices, useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { Page } from '../../frame/page.tsx';
import { Failed } from '../../frame/state.tsx';
import { ALL_ROUNDS, roundName } from '../../tenders/rounds.ts';
import { allPages, type Gathered } from '../../v1/all-pages.ts';
import { mapLoaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { Award, TenderRounds } from '../../v1/tender-answers.ts';
import { useAnswer, useLoad } from '../../v1/use-answer.ts';
import { AccuracyFigure } from './accuracy-figure.tsx';
import { AwardsFigure } from './awards-figure.tsx';
import { PlacesFigure } from './places-figure.tsx';
import { RoundFacts } from './round-facts.tsx';
import { StateChoice, statesOf } from './state-choice.tsx';

export const CHOICES = {
  bundesland: { ...text, places: (value: string) => (value === '' ? [] : [{ level: 'bundesland', value }]) },
};

/** The interface ends each list here. */
const MOST_AWARDS = 10_000;

/** One bid date with its awards. */
export function ItemPage({ id }: { id: string }) {
  const { at } = useNavigation();
  const [{ bundesland }, change] = useChoices(CHOICES);
  const rounds = useAnswer<TenderRounds>(ALL_ROUNDS);
  const known = shown(rounds)?.data;
  const round = known?.find((one) => String(one.id) === id) ?? null;
  const path = `/v1/ausschreibungen/${encodeURIComponent(id)}/zuschlaege`;
  const awards = useLoad<Gathered<Award>>(path, async (loading) => {
    const { data } = await loading.ask<TenderRounds>(ALL_ROUNDS);
    const of = data.find((one) => String(one.id) === id)?.zuschlaege ?? null;
    return allPages(loading, { path }, { of, most: MOST_AWARDS });
  });
  // The interface compares the state in the same way: with what the answer has.
  const seen = mapLoaded(awards, ({ rows }) =>
    bundesland === '' ? rows : rows.filter((award) => award.bundesland === bundesland),
  );
  const request: ApiRequest = { path, query: bundesland === '' ? {} : { bundesland: [bundesland] } };
  const name = round === null ? say(`Gebotstermin ${id}`, `Bid date ${id}`) : roundName(round);
  if (known !== undefined && round === null) {
    return (
      <Page title={name}>
        <p class="state failed" role="alert">
          {say('Einen Gebotstermin mit dieser Nummer gibt es nicht. ', 'There is no bid date of this number. ')}
          <a href={at('ausschreibungen')}>{say('Alle Termine', 'All dates')}</a>
        </p>
      </Page>
    );
  }
  return (
    <Page
      title={name}
      lead={
        <>
          {say(
            'Zuschläge dieses Termins, soweit ihre Liste geladen ist. ',
            'Awards of this date, as far as their list is loaded. ',
          )}
          <a href={at('ausschreibungen')}>{say('Alle Termine', 'All dates')}</a>
        </>
      }
    >
      {rounds.state === 'failed' ? (
        <Failed
          problem={rounds.problem}
          retry={rounds.retry}
          shows={say('die Zahlen des Termins', 'the figures of the date')}
        />
      ) : (
        round !== null && <RoundFacts round={round} />
      )}
      <StateChoice
        states={statesOf(shown(awards)?.rows ?? [])}
        value={bundesland}
        onChange={(next) => change({ bundesland: next })}
      />
      <div class="two-columns">
        <PlacesFigure loaded={seen} request={request} name={withState(name, bundesland)} />
        <AccuracyFigure loaded={seen} request={request} name={withState(name, bundesland)} />
      </div>
      <AwardsFigure loaded={seen} request={request} name={withState(name, bundesland)} />
    </Page>
  );
}

const withState = (name: string, state: string): string => (state === '' ? name : `${name}, ${state}`);
