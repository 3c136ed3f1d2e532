const MAX_LENGTH = 100;

/** Cuts a text that a message repeats: a caller sent it, and it may be as long as the request. */
export const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).toWellFormed()}…`;

/** Cuts the text and puts it in double quotes. */
export const quoted = (text: string): string => JSON.stringify(cut(text));
