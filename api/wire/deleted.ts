import { z } from 'zod';

/** The answer when something is gone for good. @param what it was: `alert` */
export const deletedShape = (what: string) =>
  z.strictObject({
    data: z.null(),
    meta: z.strictObject({ deleted: z.uuid().describe(`Id of the ${what} that was`) }),
  });

export const deletedBody = (id: string): z.infer<ReturnType<typeof deletedShape>> => ({
  data: null,
  meta: { deleted: id },
});
