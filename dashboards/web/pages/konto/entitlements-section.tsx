import { TEMPLATES } from '../../alerts/templates.ts';
import { say } from '../../format/language.ts';
import { signalName, useSignalTexts } from '../../units/signals.ts';
import type { Me } from '../../v1/answers.ts';

/** Signals and alert templates that the organisation may use. */
export function EntitlementsSection({ me: { entitlements, key } }: { me: Me }) {
  const texts = useSignalTexts(key.scopes.includes('reference:read'));
  return (
    <section class="figure" aria-labelledby="entitlements">
      <h2 id="entitlements">{say('Signale und Alarme', 'Signals and alerts')}</h2>
      <p class="unit">{say('Was für die Organisation freigegeben ist', 'What is released for the organisation')}</p>
      <h3>{say('Signale', 'Signals')}</h3>
      {entitlements.signals.length === 0 && <p class="note">{say('Keine.', 'None.')}</p>}
      <ul class="tags">
        {entitlements.signals.map((signal) => (
          <li key={signal} class="tag" title={texts.get(signal)?.beschreibung}>
            {signalName(signal, texts)}
          </li>
        ))}
      </ul>
      <h3>{say('Vorlagen für Alarme', 'Templates for alerts')}</h3>
      {entitlements.alertTemplates.length === 0 && <p class="note">{say('Keine.', 'None.')}</p>}
      <ul class="tags">
        {entitlements.alertTemplates.map(({ key: id, name }) => (
          <li key={id} class="tag">
            {TEMPLATES[id]?.name ?? name}
          </li>
        ))}
      </ul>
    </section>
  );
}
