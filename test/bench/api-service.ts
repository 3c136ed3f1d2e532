import { answer } from '../../api/chain/answer.ts';
import { chain } from '../../api/chain/chain.ts';
import { compress } from '../../api/chain/compress.ts';
import type { Middleware } from '../../api/chain/context.ts';
import { entityTag } from '../../api/chain/entity-tag.ts';
import { headers } from '../../api/chain/headers.ts';
import { pinDataset } from '../../api/chain/pin-dataset.ts';
import { problems } from '../../api/chain/problems.ts';
import { requestId } from '../../api/chain/request-id.ts';
import { route } from '../../api/chain/route.ts';
import { validate } from '../../api/chain/validate.ts';
import { startService } from '../../api/server.ts';
import { openLog } from '../../runtime/log.ts';
import { readSettings } from '../../runtime/settings.ts';
import { parseApiKey } from '../../sql/org/api-key.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { makeCaller } from '../support/organisation.ts';

/**
 * The service in a process of its own, for measuring: `full` as it is, `bare` without what the chain does about keys,
 * rights, limits and the audit log. Prints its address and a key.
 */
const PLENTY = 1_000_000_000;
const settings = readSettings();
const log = openLog(settings.LOG_LEVEL);
const store = await openOrgStore(settings, log);
await store.migrate('apply');
const key = await makeCaller(store, {
  limits: { standard: PLENTY, mutation: PLENTY, expensive: PLENTY },
  quota: PLENTY,
});

const bare: typeof chain = (operations, service) => {
  // The key is resolved before the first request.
  const known = service.apiKeys(parseApiKey(key)!);
  const asTheCaller: Middleware = async (context, next) => {
    const { caller } = await known;
    context.state.caller = caller ?? undefined;
    await next();
  };
  return [
    requestId,
    headers(service),
    compress(service),
    problems(service),
    route(operations),
    asTheCaller,
    pinDataset(service),
    validate(service),
    entityTag(service),
    answer(service),
  ];
};

const service = await startService(settings, log, store, process.argv[2] === 'bare' ? bare : chain);
process.stdout.write(`${JSON.stringify({ url: service.url, key })}\n`);

const end = async (): Promise<void> => {
  await service.close();
  await store.close();
  process.exit(0);
};
process.once('SIGTERM', end);
// Whoever measures is gone, however it ended.
process.once('disconnect', end);
