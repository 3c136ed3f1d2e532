/** The place in a list is none of the view, nor is what newsletters append. */
const NO_CHOICE = /^(cursor|seite|limit|utm_\w+|\w+clid|mc_[ce]id)$/;

/** What of an address makes a view: shared and saved ones have nothing else. */
export const keptQuery = (query: URLSearchParams): string =>
  new URLSearchParams([...query].filter(([name]) => !NO_CHOICE.test(name))).toString();
