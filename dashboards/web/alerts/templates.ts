import { say } from '../format/language.ts';

/** What alerts may ask, in words. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  NEW_UNIT: say('Neue Anlage', 'New unit'),
  SIGNAL_CHANGE: say('Signaländerung', 'Change of a signal'),
};
