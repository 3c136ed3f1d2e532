import { time } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import type { Me } from '../../v1/answers.ts';
import { Granted } from './key-section.tsx';
import { MODULES } from './scopes.ts';

/** Shows what the organisation has booked, and what the rest would give. */
export function ModulesSection({ me: { organization } }: { me: Me }) {
  const further = organization.modules.filter((module) => MODULES[module] === undefined);
  const state = (isBooked: boolean, gives: string): string =>
    isBooked
      ? say(`Gebucht: ${gives}`, `Booked: ${gives}`)
      : say(`Nicht gebucht. Es gäbe ${gives}`, `Not booked. It would give ${gives}`);
  return (
    <section class="figure" aria-labelledby="modules">
      <h2 id="modules">{say('Module', 'Modules')}</h2>
      <p class="unit">
        {organization.trialEndsAt === null
          ? say('Was die Organisation gebucht hat', 'What the organisation has booked')
          : say(
              `Probezeit bis ${time(organization.trialEndsAt)}; danach gilt kein Modul mehr als gebucht`,
              `Trial until ${time(organization.trialEndsAt)}; after that no module counts as booked`,
            )}
      </p>
      <ul class="granted">
        {Object.entries(MODULES).map(([module, { name, gives }]) => {
          const isBooked = organization.modules.includes(module);
          return <Granted key={module} is={isBooked} words={name} code={module} more={state(isBooked, gives)} />;
        })}
        {further.map((module) => (
          <Granted key={module} is words={say('Weiteres Modul', 'Further module')} code={module} />
        ))}
      </ul>
    </section>
  );
}
