/**
 * A text with the signs that texts of the register are kept with: of the two ampersands that occur in it, the plain one. What
 * is asked for goes through it as well, so that both sides are spelled alike.
 */
export const plainSigns = (text: string): string => text.replaceAll('\uff06', '&');
