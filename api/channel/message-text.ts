import { writtenText } from '../wire/parameters.ts';

const MAX_TEXT = 5000;

/** The text of a message; it may have several lines, and is kept as it was sent. */
export const messageText = writtenText(MAX_TEXT);
