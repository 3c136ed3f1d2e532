import { emailsRefused } from '../alerts/emails.tsx';
import { say } from '../format/language.ts';
import type { Problem } from '../v1/problem.ts';
import { sentenceOf } from '../v1/problem-words.ts';

/** The longest name that the interface takes. */
export const MOST_LETTERS = 200;

export function NameField({ name, onType }: { name: string; onType: (name: string) => void }) {
  return (
    <label>
      Name
      <input required maxLength={MOST_LETTERS} value={name} onInput={(event) => onType(event.currentTarget.value)} />
    </label>
  );
}

/** Why something was not kept. */
export function whyNot(problem: Problem): string {
  const { code, detail = '' } = problem;
  const refused = emailsRefused(problem);
  if (refused !== null) return refused;
  if (code === 'CONFLICT')
    return say(
      'Diesen Namen gibt es schon. Mit einem anderen geht es.',
      'This name exists already. With another one it works.',
    );
  if (code === 'UNPROCESSABLE' && /maxAlerts|at most/.test(detail)) {
    return say(
      'Die Organisation hat schon so viele, wie sie haben darf. Unter „Alarme und Filter“ lässt sich etwas löschen.',
      'The organisation has as many as it may have. Something can be deleted under “Alerts and filters”.',
    );
  }
  return sentenceOf(problem);
}
