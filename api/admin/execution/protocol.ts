import { z } from 'zod';
import { ADMIN_EXITS } from '../common/failures.ts';

/**
 * The protocol between the command line and a running service, with one request per command. The two may be of different
 * releases, so the names of members and exits never change.
 */

export const requestShape = z.strictObject({
  command: z.string(),
  typed: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())])),
});

export type Request = z.input<typeof requestShape>;

export const responseShape = z.union([
  z.object({ failure: z.object({ exit: z.enum(ADMIN_EXITS).exclude(['done']).catch('failed'), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);
