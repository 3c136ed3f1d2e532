/** The processes of a service tell each other about keys: who guesses, and who does not. */
export type KeyNews =
  /** A call of this address was refused for want of a valid key. */
  | { readonly refused: string }
  /** A key with this prefix was valid. */
  | { readonly valid: string };

/** The other processes of a service. */
export interface Peers {
  tell(news: KeyNews): void;
  /** Calls a function with all that the others tell. */
  listen(hear: (news: KeyNews) => void): void;
}

/** Of a service that is one process. */
export const NO_PEERS: Peers = { tell: () => {}, listen: () => {} };
