const LONGEST = 100;

/** A text that a caller sent, as a message repeats it: cut, for it may be as long as the request. */
export const cut = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;

/** The same in double quotes. */
export const quoted = (text: string): string => JSON.stringify(cut(text));
