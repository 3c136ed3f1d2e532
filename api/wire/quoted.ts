const MAX_LENGTH = 100;

/** A text that a caller sent, as a message repeats it: cut, for it may be as long as the request. */
export const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).toWellFormed()}…`;

/** The same in double quotes. */
export const quoted = (text: string): string => JSON.stringify(cut(text));
