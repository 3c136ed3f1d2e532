import { say } from '../format/language.ts';

/** What alerts may ask, in words: of all alerts of a kind, of what one tells, and the beginning of its name. */
export const TEMPLATES: Readonly<
  Record<string, { readonly name: string; readonly tells: string; readonly subject: string }>
> = {
  NEW_UNIT: {
    name: say('Neue Anlage', 'New unit'),
    tells: say('Einheiten, die neu sind', 'Units that are new'),
    subject: say('Neue Anlagen', 'New units'),
  },
  SIGNAL_CHANGE: {
    name: say('Signaländerung', 'Change of a signal'),
    tells: say('Einheiten, die ein Signal bekommen oder verlieren', 'Units that get or lose a signal'),
    subject: say('Signaländerungen', 'Changes of signals'),
  },
  FIELD_CHANGE: {
    name: say('Feldänderung', 'Change of a field'),
    tells: say('Einheiten, bei denen sich ein Feld ändert', 'Units of which a field changes'),
    subject: say('Geänderte Anlagen', 'Changed units'),
  },
  STATUS_CHANGE: {
    name: say('Statusänderung', 'Change of state'),
    tells: say('Einheiten, deren Betriebsstatus sich ändert', 'Units whose state changes'),
    subject: say('Statusänderungen', 'Changes of state'),
  },
  COMMISSIONED: {
    name: say('Inbetriebnahme', 'Commissioning'),
    tells: say('Einheiten, die in Betrieb gehen', 'Units that are commissioned'),
    subject: say('Inbetriebnahmen', 'Commissioned units'),
  },
};
