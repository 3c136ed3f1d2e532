import type { Caller } from '../../api/access/caller.ts';
import { entityTag, respond } from '../../api/chain/answer.ts';
import { headers, requestId } from '../../api/chain/arrival.ts';
import { openChains } from '../../api/chain/chain.ts';
import { compress } from '../../api/chain/compress.ts';
import { accept, readBody } from '../../api/chain/content.ts';
import type { RequestState } from '../../api/chain/context.ts';
import { problems } from '../../api/chain/problems.ts';
import { pinDataset, validate } from '../../api/chain/question.ts';
import type { Steps } from '../../api/chain/router.ts';
import { Chain, type Step } from '../../api/chain/step.ts';
import { isPublic, TAGGED } from '../../api/operation/kinds.ts';
import type { KeyOperation } from '../../api/operation/operation.ts';
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
const UNLIMITED = 1_000_000_000;
const settings = readSettings();
const log = await openLog(settings.LOG_LEVEL);
const store = await openOrgStore(settings, log, { thread: 'own' });
await store.migrate('apply');
const key = await makeCaller(store, {
  limits: { standard: UNLIMITED, mutation: UNLIMITED, expensive: UNLIMITED },
  quota: UNLIMITED,
});

/** Knows the caller before the first request. */
const knownCaller: Step<KeyOperation, RequestState, { caller: Caller }> = {
  name: 'known caller',
  problems: () => [],
  open(service) {
    const parsed = parseApiKey(key);
    if (parsed === null) throw new Error('The key that was made is none');
    const known = service.apiKeys(parsed);
    return () => async (_, next) => {
      const { caller } = await known;
      if (caller === null) throw new Error('The key that was made is refused');
      await next({ caller });
    };
  },
};

const BARE_CHAIN = new Chain<KeyOperation>()
  .step(knownCaller)
  .step(accept)
  .step(readBody)
  .step(pinDataset)
  .step(validate)
  .when(TAGGED, entityTag)
  .step(respond);

const bare: Steps = {
  frame: [requestId, headers, compress, problems],
  chains(service) {
    const [compile, ofPublic] = [BARE_CHAIN.open(service), openChains(service)];
    return (operation) => (isPublic(operation) ? ofPublic(operation) : compile(operation));
  },
};

const service = await startService(settings, log, store, process.argv[2] === 'bare' ? { steps: bare } : {});
process.stdout.write(`${JSON.stringify({ url: service.url, key })}\n`);

const end = async (): Promise<void> => {
  await service.close();
  await store.close();
  process.exit(0);
};
process.once('SIGTERM', end);
// Whoever measures is gone, however it ended.
process.once('disconnect', end);
