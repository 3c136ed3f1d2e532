import { addressPolicy } from '../../../../api/webhooks/delivery/address.ts';
import { send } from '../../../../api/webhooks/delivery/send.ts';
import { readSettings } from '../../../../runtime/settings.ts';

/** Sends to the URL of its arguments, for tests of the environment; then fetches it as programs do that heed the environment. */

const [url = ''] = process.argv.slice(2);
const message = { id: 'evt_1', body: '{}', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] };
const sent = await send({ ...message, url }, { addresses: addressPolicy(readSettings()) });
const fetched = await fetch(url, { method: 'PUT' }).then(
  ({ status }) => status,
  () => 'failed',
);
process.stdout.write(JSON.stringify({ sent, fetched }));
