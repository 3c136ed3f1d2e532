import { say } from '../format/language.ts';

const SEVERITIES = ['fehler', 'warnung', 'hinweis'];

const NAMES: Readonly<Record<string, { readonly name: string; readonly look: string }>> = {
  fehler: { name: say('Fehler', 'Error'), look: 'tag bad' },
  warnung: { name: say('Warnung', 'Warning'), look: 'tag warn' },
  hinweis: { name: say('Hinweis', 'Note'), look: 'tag' },
};

/** A severity that these pages do not know keeps the name that the interface gives it. */
export const severityName = (severity: string): string => NAMES[severity]?.name ?? severity;

/** The weightiest is first; unknown ones come last. */
export const severityRank = (severity: string): number => (SEVERITIES.indexOf(severity) + 4) % 4;

export const Severity = ({ id }: { id: string }) => <span class={NAMES[id]?.look ?? 'tag'}>{severityName(id)}</span>;
