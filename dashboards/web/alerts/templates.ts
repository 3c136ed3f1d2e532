/** What alerts may ask, in words. */
export const TEMPLATES: Readonly<Record<string, string>> = { NEW_UNIT: 'Neue Anlage', SIGNAL_CHANGE: 'Signaländerung' };
