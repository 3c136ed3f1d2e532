import { time } from '../../format/dates.ts';
import type { Me } from '../../v1/answers.ts';
import { Granted } from './key-section.tsx';
import { MODULES } from './scopes.ts';

/** Shows what the organisation has booked, and what the rest would give. */
export function ModulesSection({ me: { organization } }: { me: Me }) {
  const further = organization.modules.filter((module) => MODULES[module] === undefined);
  const state = (isBooked: boolean, gives: string): string =>
    isBooked ? `Gebucht: ${gives}` : `Nicht gebucht. Es gäbe ${gives}`;
  return (
    <section class="figure" aria-labelledby="modules">
      <h2 id="modules">Module</h2>
      <p class="unit">
        {organization.trialEndsAt === null
          ? 'Was die Organisation gebucht hat'
          : `Probezeit bis ${time(organization.trialEndsAt)}; danach gilt kein Modul mehr als gebucht`}
      </p>
      <ul class="granted">
        {Object.entries(MODULES).map(([module, { name, gives }]) => {
          const isBooked = organization.modules.includes(module);
          return <Granted key={module} is={isBooked} words={name} code={module} more={state(isBooked, gives)} />;
        })}
        {further.map((module) => (
          <Granted key={module} is words="Weiteres Modul" code={module} />
        ))}
      </ul>
    </section>
  );
}
