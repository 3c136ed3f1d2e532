import { KeyMissing } from '../../sql/org/encryption.ts';
import { Problem } from '../problem/problem.ts';

const RETRY_MILLISECONDS = 60_000;

/**
 * Answers for what cannot be decrypted: the caller learns that the operator has to act, and the log which key is missing.
 * @param what completes "cannot be read at the moment": "Contacts"
 */
export const refuseUnreadable =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof KeyMissing)) throw error;
    const detail = `${what} cannot be read at the moment; the operator of the service has to bring back a key`;
    throw new Problem('SERVICE_UNAVAILABLE', detail, { retryAt: Date.now() + RETRY_MILLISECONDS, cause: error });
  };
