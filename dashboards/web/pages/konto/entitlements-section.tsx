import { signalName, useSignalTexts } from '../../units/signals.ts';
import type { Me } from '../../v1/answers.ts';

/** Signals and alert templates that the organisation may use. */
export function EntitlementsSection({ me: { entitlements, key } }: { me: Me }) {
  const texts = useSignalTexts(key.scopes.includes('reference:read'));
  return (
    <section class="figure" aria-labelledby="entitlements">
      <h2 id="entitlements">Signale und Alarme</h2>
      <p class="unit">Was für die Organisation freigegeben ist</p>
      <h3>Signale</h3>
      {entitlements.signals.length === 0 && <p class="note">Keine.</p>}
      <ul class="tags">
        {entitlements.signals.map((signal) => (
          <li key={signal} class="tag" title={texts.get(signal)?.beschreibung}>
            {signalName(signal, texts)}
          </li>
        ))}
      </ul>
      <h3>Vorlagen für Alarme</h3>
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
