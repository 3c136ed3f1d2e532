import { type Parameter, useChoices } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { Page as Frame } from '../../frame/page.tsx';
import { useVisit } from '../../v1/use-answer.ts';
import { EndpointsFigure } from './endpoints-figure.tsx';
import { EntitlementsSection } from './entitlements-section.tsx';
import { DAYS, EventsFigure } from './events-figure.tsx';
import { KeySection } from './key-section.tsx';
import { ModulesSection } from './modules-section.tsx';
import { PortalSection } from './portal-section.tsx';
import { SharesFigure } from './shares-figure.tsx';
import { UsageSection } from './usage-section.tsx';

const tage: Parameter<number> = {
  initial: DAYS[0],
  read: (text) => DAYS.find((days) => String(days) === text),
  write: (days) => (days === DAYS[0] ? null : String(days)),
  takes: say(`eine Zahl von Tagen: ${DAYS.join(', ')}`, `a number of days: ${DAYS.join(', ')}`),
};

export const CHOICES = { tage };

export function Page() {
  const { me } = useVisit();
  const [{ tage: days }, change] = useChoices(CHOICES);
  return (
    <Frame
      title={say('Konto', 'Account')}
      lead={say(
        'Was der Schlüssel darf, was gebucht ist, was verbraucht ist, und was zuletzt geschah.',
        'What the key may do, what is booked, what is used up, and what happened last.',
      )}
    >
      <div class="two-columns">
        <div>
          <UsageSection me={me} />
          <EntitlementsSection me={me} />
          <PortalSection />
        </div>
        <div>
          <ModulesSection me={me} />
          <KeySection me={me} />
        </div>
      </div>
      <div class="choices">
        <label>
          {say('Ereignisse', 'Events')}
          <select value={days} onChange={(event) => change({ tage: Number(event.currentTarget.value) })}>
            <option value={1}>{say('von heute', 'of today')}</option>
            <option value={7}>{say('der letzten 7 Tage', 'of the last 7 days')}</option>
            <option value={29}>{say('der letzten 29 Tage', 'of the last 29 days')}</option>
          </select>
        </label>
      </div>
      <EventsFigure days={days} />
      <SharesFigure />
      <EndpointsFigure />
    </Frame>
  );
}
