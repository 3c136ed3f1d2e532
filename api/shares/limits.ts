/** Bounds of public links. */

/** Rows of a list that visitors can reach, page by page. */
export const MOST_ROWS = 1000;
