import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { unitCount } from '../../format/numbers.ts';
import { Failed, Waiting } from '../../frame/state.tsx';
import { regionText } from '../../regions/region.ts';
import type { ReferenceValues } from '../../v1/answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';

/** A way in for those who do not want to type: the states. */
export function States() {
  const { at } = useNavigation();
  const loaded = useAnswer<ReferenceValues>({ path: '/v1/reference/bundesland' });
  if (loaded.state === 'failed') {
    return (
      <Failed
        problem={loaded.problem}
        retry={loaded.retry}
        shows={say('eine Auswahl der Bundesländer', 'a selection of the states')}
      />
    );
  }
  if (loaded.state === 'loading') return <Waiting loaded={loaded} height={240} />;
  const states = loaded.value.data.toSorted((a, b) => a.value.localeCompare(b.value, 'de'));
  return (
    <nav aria-label={say('Bundesländer', 'States')}>
      <ul class="states">
        {states.map(({ value, count }) => (
          <li key={value}>
            <a href={at('region', { region: regionText({ level: 'bundesland', value }) })}>
              <bdi>{value}</bdi>
              <small>{unitCount(count)}</small>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
