import { useNavigation } from '../../address/address.ts';
import { kindName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { power } from '../../format/numbers.ts';
import { registerWord } from '../../format/register-words.ts';
import { Page } from '../../frame/page.tsx';
import { Failed, Waiting } from '../../frame/state.tsx';
import { useSignalTexts } from '../../units/signals.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { mapLoaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { UnitDetail, UnitFields } from '../../v1/unit-answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { Awards } from './awards.tsx';
import { Blocks } from './blocks.tsx';
import { Changes } from './changes.tsx';
import { Neighbours } from './neighbours.tsx';
import { OwnFields } from './own-fields.tsx';
import { Place } from './place.tsx';
import { PortfolioEntry } from './portfolio-entry.tsx';
import { Signals } from './signals.tsx';
import { Timeline } from './timeline.tsx';
import type { UnitProps } from './unit-props.ts';

export { CHOICES } from './blocks.tsx';

/** One unit with all that the register and the organisation know of it. */
export function ItemPage({ id }: { id: string }) {
  const { at } = useNavigation();
  const request: ApiRequest = { path: `/v1/units/${encodeURIComponent(id)}` };
  const loadedCatalogue = useCatalogue();
  const answer = useAnswer<UnitDetail>(request);
  const catalogue = shown(loadedCatalogue);
  const unit = shown(answer)?.data ?? null;
  const name = unit === null ? say(`Einheit ${id}`, `Unit ${id}`) : textMember(unit, 'name') || unit.mastrNummer;
  const loaded = answer.state === 'ready' ? mapLoaded(loadedCatalogue, () => answer.value) : answer;
  return (
    <Page title={name} lead={unit === null ? undefined : <Lead unit={unit} />}>
      <p class="back">
        <a href={at('einheiten')}>{say('Alle Einheiten', 'All units')}</a>
        {unit !== null && (
          <>
            {' · '}
            <a href={registerAddress(unit.mastrNummer)} rel="noreferrer">
              {say('Im Marktstammdatenregister', 'In the public register')}
            </a>
            {textMember(unit, 'netzbetreiber') !== '' && (
              <>
                {' · '}
                <a href={at('netz', { netzbetreiber: textMember(unit, 'netzbetreiber') })}>
                  {say('Netz des Betreibers', 'Grid of its operator')}
                </a>
              </>
            )}
          </>
        )}
      </p>
      {loaded.state === 'failed' && (
        <Failed problem={loaded.problem} retry={loaded.retry} shows={say(`die Einheit ${id}`, `the unit ${id}`)} />
      )}
      {/* What has left the register still has a past. */}
      {answer.state === 'failed' && answer.problem.status === 404 && catalogue !== null && (
        <Changes number={id} catalogue={catalogue} />
      )}
      {loaded.state === 'loading' && <Waiting loaded={loaded} height={400} />}
      {loaded.state === 'ready' && unit !== null && catalogue !== null && (
        <Parts unit={unit} catalogue={catalogue} request={request} name={name} />
      )}
    </Page>
  );
}

/** The unit in the public register. Its pages have numbers that the export does not tell, so its list is filtered. */
const registerAddress = (number: string): string =>
  `https://www.marktstammdatenregister.de/MaStR/Einheit/Einheiten/OeffentlicheEinheitenuebersicht?filter=${encodeURIComponent(`MaStR-Nr. der Einheit~eq~'${number}'`)}`;

function Parts(props: UnitProps) {
  const signals = useSignalTexts(true);
  return (
    <div class="unit-page">
      <div class="unit-side">
        <PortfolioEntry {...props} />
        <Place {...props} />
        <Timeline {...props} />
        <Changes number={props.unit.mastrNummer} catalogue={props.catalogue} />
        <Signals {...props} signals={signals} />
        <Awards {...props} />
        {props.unit.lokationMastrNummer !== null && <Neighbours {...props} />}
      </div>
      <div class="unit-main">
        <Blocks {...props} signals={signals} />
        <OwnFields {...props} />
      </div>
    </div>
  );
}

/** „Wind, 3,2 MW, In Betrieb, 49808 Lingen (Ems)“, of what is known. */
function Lead({ unit }: { unit: UnitFields }) {
  const { bruttoleistungKw } = unit;
  const place = [textMember(unit, 'plz'), textMember(unit, 'ort') || textMember(unit, 'bundesland')];
  const parts = [
    kindName(textMember(unit, 'einheitTyp'), unit.energietraeger),
    typeof bruttoleistungKw === 'number' ? power(bruttoleistungKw) : '',
    registerWord(textMember(unit, 'betriebsStatus')),
    place.filter(Boolean).join(' '),
    unit.mastrNummer,
  ];
  return (
    <>
      {parts.filter(Boolean).map((part, index) => (
        <span key={part}>
          {index > 0 && ' · '}
          <bdi>{part}</bdi>
        </span>
      ))}
    </>
  );
}

const textMember = (unit: UnitFields, member: string): string => {
  const value = unit[member];
  return typeof value === 'string' ? value : '';
};
