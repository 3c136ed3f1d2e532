import type { Me } from '../../v1/answers.ts';
import type { Answer } from '../../v1/client.ts';
import { shown } from '../../v1/loaded.ts';
import { useAnswer } from '../../v1/use-answer.ts';

type SignalValues = Answer<readonly { readonly value: string; readonly name?: string | null }[]>;

/** Signals and alert templates that the organisation may use. */
export function EntitlementsSection({ me: { entitlements, key } }: { me: Me }) {
  const isReadable = key.scopes.includes('reference:read');
  const known = shown(useAnswer<SignalValues>(isReadable ? { path: '/v1/reference/signals' } : null))?.data ?? [];
  const names = new Map(known.map(({ value, name }) => [value, name]));
  return (
    <section class="figure" aria-labelledby="entitlements">
      <h2 id="entitlements">Signale und Benachrichtigungen</h2>
      <p class="unit">Was für die Organisation freigegeben ist</p>
      <h3>Signale</h3>
      {entitlements.signals.length === 0 && <p class="note">Keine.</p>}
      <ul class="tags">
        {entitlements.signals.map((signal) => (
          <li key={signal} class="tag">
            {names.get(signal) ?? signal}
          </li>
        ))}
      </ul>
      <h3>Vorlagen für Benachrichtigungen</h3>
      {entitlements.alertTemplates.length === 0 && <p class="note">Keine.</p>}
      <ul class="tags">
        {entitlements.alertTemplates.map(({ key: id, name }) => (
          <li key={id} class="tag">
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
