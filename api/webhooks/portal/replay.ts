import { z } from 'zod';
import type { Session } from '../../../sql/org/store.ts';
import { replayDelivery, replayUndelivered } from '../../../sql/org/webhooks/replay.ts';
import { type Call, type OperationResult, operation } from '../../operation/operation.ts';
import { Problem } from '../../problem/problem.ts';
import { text } from '../../wire/parameters.ts';
import { berlinMoment, isLocalMoment } from '../../wire/time.ts';
import { besides, PAGE_HEADERS } from './layout.ts';
import type { Notice } from './notice.ts';
import { isId, PAGE, tokenShape, type Visit, visit } from './visit.ts';

/** The forms that send messages again. Each carries a proof that it stood on a page behind the same link. */

const FORM = { ...PAGE, method: 'POST', form: true, problems: ['FORM_REFUSED'] } as const;

/** A form without a proof is refused like a form with a wrong one. */
const proof = { proof: text().default('') };

export const replayMessage = operation({
  ...FORM,
  id: 'portal.replay-message',
  path: '/portal/{token}/messages/{id}/replay',
  summary: 'Delivery log: send a message again',
  pathParameters: z.strictObject({ ...tokenShape, id: text() }),
  body: z.strictObject(proof),
  async handle(call) {
    const { id } = call.path;
    const visited = replaying(call, call.body.proof, id);
    const notice = isId(id)
      ? await replayed(visited, call, (session) => replayDelivery(session, visited.organisation.id, id))
      : ({ refused: 'NOT_FOUND' } as const);
    return back(call, visited, `messages/${id}`, `messages/${id}/replay`, notice);
  },
});

export const replaySince = operation({
  ...FORM,
  id: 'portal.replay-since',
  path: '/portal/{token}/replay',
  summary: 'Delivery log: send again what has not arrived since a moment',
  pathParameters: z.strictObject(tokenShape),
  body: z.strictObject({
    ...proof,
    endpoint: text().refine(isId, 'must be an id').optional(),
    since: z.string().refine(isLocalMoment, 'must be a day and a time'),
  }),
  async handle(call) {
    const { endpoint, since } = call.body;
    const visited = replaying(call, call.body.proof, 'undelivered');
    const which = { ...(endpoint === undefined ? {} : { endpointId: endpoint }), since: berlinMoment(since) };
    const notice = await replayed(visited, call, (session) =>
      replayUndelivered(session, visited.organisation.id, which),
    );
    return back(call, visited, '', 'replay', notice);
  },
});

type FormCall = Call<{ token: string }, Record<string, never>>;

/** @throws Problem FORM_REFUSED for a link that does not allow it, and for a form that is none of its pages */
function replaying(call: FormCall, proof: string, subject: string): Visit {
  const visited = visit(call);
  if (!visited.mayReplay) throw new Problem('FORM_REFUSED', 'The link does not allow messages to be sent again');
  if (call.service.portalLinks.isProof(proof, visited.link, subject)) return visited;
  throw new Problem('FORM_REFUSED', 'The form was not on a page behind this link');
}

type Replayed = Awaited<ReturnType<typeof replayDelivery>>;

async function replayed(
  { records }: Visit,
  { service }: FormCall,
  work: (session: Session) => Promise<Replayed>,
): Promise<Notice> {
  const outcome = await records(work);
  service.webhooks.wake();
  return typeof outcome === 'number' ? { replayed: outcome } : { refused: outcome };
}

/** Redirects from the form to a page that says what was done. Loading that page again sends nothing. */
function back(
  { service }: FormCall,
  { token, link }: Visit,
  to: string,
  from: string,
  notice: Notice,
): OperationResult {
  const signed = service.portalLinks.signNotice(link, notice);
  return {
    status: 303,
    headers: { ...PAGE_HEADERS, Location: `${besides(token, from)(to)}?notice=${signed}` },
    body: '',
  };
}
