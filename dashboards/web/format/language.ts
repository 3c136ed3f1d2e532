/**
 * The language of the pages. The service decides it with the document (its `lang`): by the address, by what was chosen before,
 * or by the browser. It holds as long as the document does, so that constants may have words, too; another one is another document.
 */
export type Language = 'de' | 'en';

export const isLanguage = (text: string | null): boolean => text === 'de' || text === 'en';

export const LANGUAGE: Language =
  typeof document !== 'undefined' && document.documentElement.lang === 'en' ? 'en' : 'de';

/** One of two forms of the same, by the language of the pages: `say('Leistung', 'Power')`. */
export const say = <T>(german: T, english: T): T => (LANGUAGE === 'de' ? german : english);

/** A text between the marks of the language. */
export const quoted = (text: string): string => say(`„${text}“`, `“${text}”`);

/** How numbers and days are written. */
export const LOCALE = say('de-DE', 'en-GB');

/** Name of the parameter and of the cookie that keep a choice. */
export const CHOSEN_LANGUAGE = 'sprache';
