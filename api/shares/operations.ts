import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { isUuid, organisationToChange } from '../../sql/org/organisations.ts';
import { forgetShares, insertShare, revokeShare, type ShareRow, shareRow, sharesOf } from '../../sql/org/shares.ts';
import { mustHaveScope } from '../access/rights.ts';
import { operation } from '../operation/operation.ts';
import { Problem, violated } from '../problem/problem.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { bodyList } from '../wire/parameters.ts';
import { choiceFault } from './choices.ts';
import { placeFault } from './places.ts';
import { EXAMPLE_SHARE, PAGE_NAMES, shareShape, shownShare, stateOf } from './share.ts';
import { admittedBy, SHARED_PAGES, type View, viewOf } from './views.ts';

/** An organisation makes and revokes public links to its views, and sees their use. */

const MOST_LIVE = 50;
const MOST_DAYS = 366;
const MOST_ORIGINS = 10;
const MAX_QUERY = 2000;
/** All of them stand in one header. */
const MOST_LETTERS_OF_ORIGIN = 200;

/** Links that ended so many days ago leave the list with the next one that is made. */
const KEPT_DAYS = 90;

/**
 * An origin goes into a header as it is, so it has nothing but letters, digits, dots and a port. Without TLS only the own
 * machine may frame a view, to try it out.
 */
const ORIGIN = /^(?:https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

const answer = z.strictObject({ data: shareShape, meta: z.strictObject({}) });

const common = { access: 'api', source: 'service' } as const;

export const listShares = operation({
  ...common,
  id: 'shares.list',
  method: 'GET',
  path: '/v1/shares',
  summary: 'The public links of the organisation, newest first, with their use',
  scope: 'shares:read',
  cost: 'standard',
  answer: z.strictObject({ data: z.array(shareShape), meta: z.strictObject({ count: z.int() }) }),
  async handle({ caller, records, service, today }) {
    await service.shareLinks.write();
    const rows = await records((session) => session.rows(shareRow, sharesOf(caller.organisation.id)));
    return { body: { data: rows.map((row) => shownShare(row, today, service)), meta: { count: rows.length } } };
  },
});

export const createShare = operation({
  ...common,
  id: 'shares.create',
  method: 'POST',
  path: '/v1/shares',
  summary: 'A public link to one view',
  description:
    `At most ${MOST_LIVE} links are live at once. One that ended or was revoked stays in the list for ${KEPT_DAYS} days. The calling key ` +
    'needs the scopes by which the view itself is read.',
  scope: 'shares:write',
  cost: 'mutation',
  replayable: true,
  body: z.strictObject({
    name: line(NAME_LENGTH).describe('For the list of the organisation; visitors never see it'),
    page: z
      .enum(PAGE_NAMES, `must be one of ${PAGE_NAMES.join(', ')}`)
      .describe('The page under /app; `ueberblick` is the first one'),
    query: z
      .string('must be a text')
      .max(MAX_QUERY, `must have at most ${MAX_QUERY} characters`)
      .optional()
      .describe('Its choices, as its address has them behind `?`; default: none'),
    endsOn: z.iso
      .date('must be a calendar day YYYY-MM-DD')
      .describe(`The last day on which it holds, at most ${MOST_DAYS} days ahead`),
    frameAncestors: bodyList(
      z
        .string('must be a text')
        .max(MOST_LETTERS_OF_ORIGIN, `must have at most ${MOST_LETTERS_OF_ORIGIN} characters`)
        .refine(
          (text) => ORIGIN.test(text) && URL.canParse(text),
          'must be an origin such as https://www.example.org, without a path',
        ),
      MOST_ORIGINS,
    )
      .optional()
      .describe('Origins whose pages may show it in a frame; default: none'),
  }),
  answer,
  status: 201,
  problems: ['UNPROCESSABLE'],
  example: {
    body: { name: 'Zubau in Bayern', page: 'zeitreihe', query: 'region=bundesland:Bayern', endsOn: '2027-01-31' },
  },
  async handle(call) {
    const { body, caller, records, service, today } = call;
    const { name, page, endsOn } = body;
    const view = viewOf(page, body.query ?? '');
    mustBeShareable(view);
    for (const scope of SHARED_PAGES[page]?.scopes ?? []) mustHaveScope(caller, scope, 'To share this view');
    mustBeNear(endsOn, today);
    refuse(await placeFault(view, call));
    const { id: organisationId } = caller.organisation;
    const row = await records(async (session) => {
      // Other calls that make links wait here, and then count this one.
      await session.run(organisationToChange(organisationId));
      await session.run(forgetShares(organisationId, daysFrom(today, -KEPT_DAYS)));
      const present = await session.rows(shareRow, sharesOf(organisationId));
      const live = present.filter((one) => stateOf(one, today) === 'live').length;
      if (live >= MOST_LIVE) {
        const detail = `The organisation has ${live} live links, and at most ${MOST_LIVE} are allowed; revoke one first`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      const made: ShareRow = {
        ...view,
        id: randomUUIDv7(),
        name,
        endsOn,
        frameAncestors: [...new Set(body.frameAncestors ?? [])],
        keyPrefix: caller.key.prefix,
        createdAt: new Date().toISOString(),
        revokedAt: null,
        views: 0,
        calls: 0,
        lastUsedAt: null,
      };
      await session.run(insertShare(organisationId, made));
      return made;
    });
    return { body: { data: shownShare(row, today, service), meta: {} } };
  },
});

export const removeShare = operation({
  ...common,
  id: 'shares.delete',
  method: 'DELETE',
  path: '/v1/shares/{id}',
  summary: 'Revoke a public link for good',
  description:
    'Within a second no instance takes it any more. It stays in the list; one that was revoked before is answered alike.',
  scope: 'shares:write',
  cost: 'mutation',
  replayable: true,
  pathParameters: z.strictObject({ id: z.string().describe('Id of the link, from GET /v1/shares') }),
  answer,
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_SHARE } },
  async handle({ path: { id }, caller, records, service, today }) {
    const organisationId = caller.organisation.id;
    const revoked = isUuid(id)
      ? await records((session) => session.row(shareRow, revokeShare(organisationId, id)))
      : null;
    if (revoked === null) {
      throw new Problem('NOT_FOUND', 'The organisation has no public link with this id; GET /v1/shares lists them');
    }
    return { body: { data: shownShare(revoked, today, service), meta: {} } };
  },
});

/** @throws Problem UNPROCESSABLE for an address that is no view of the register alone */
function mustBeShareable(view: View): void {
  const admitted = admittedBy(view);
  refuse('fault' in admitted ? admitted.fault : choiceFault(view));
}

/** @throws Problem UNPROCESSABLE for a fault */
function refuse(fault: string | null): void {
  if (fault !== null) throw violated([{ pointer: '#/query', code: 'UNPROCESSABLE', detail: `query ${fault}` }]);
}

/** @throws Problem UNPROCESSABLE for a last day that is over, or far away */
function mustBeNear(endsOn: string, today: string): void {
  const last = daysFrom(today, MOST_DAYS);
  if (endsOn >= today && endsOn <= last) return;
  const detail = `endsOn must be a day from ${today} to ${last}`;
  throw violated([{ pointer: '#/endsOn', code: 'UNPROCESSABLE', detail }]);
}

function daysFrom(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
