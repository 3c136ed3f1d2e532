import { say } from '../format/language.ts';
import type { Problem } from '../v1/problem.ts';

/** The e-mail addresses that a text has, in any notation of lists. */
export const emailsIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter(Boolean);

export const SENDS_NONE = say(
  'Dieser Dienst verschickt keine E-Mails: Sein Betreiber hat das nicht eingerichtet.',
  'This service sends no e-mails: its operator has not set that up.',
);

export function EmailsField({ text, onType }: { text: string; onType: (text: string) => void }) {
  return (
    <label>
      {say(
        'E-Mail-Adressen, die er einmal je Nacht benachrichtigt (bis zu 5, oder keine)',
        'E-mail addresses that it tells once a night (up to 5, or none)',
      )}
      <textarea rows={2} spellcheck={false} value={text} onInput={(event) => onType(event.currentTarget.value)} />
    </label>
  );
}

/** Why addresses were refused; null = they were not the reason. */
export function emailsRefused({ errors = [], status }: Problem): string | null {
  if (!errors.some(({ pointer }) => pointer?.startsWith('#/emails'))) return null;
  return status === 422
    ? SENDS_NONE
    : say(
        'Eine E-Mail-Adresse ist keine, oder es sind mehr als 5.',
        'An e-mail address is not one, or there are more than 5.',
      );
}
