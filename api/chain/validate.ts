import { z } from 'zod';
import { today } from '../../runtime/settings.ts';
import { bodyOf, formNotation, queryOf } from '../operation/inputs.ts';
import type { Call, KeyOperation, Operation, PublicCall, PublicOperation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { type Faults, faultsOfRequest } from '../problem/faults.ts';
import { chosenForm } from '../representation/parameters.ts';
import { idempotencyKey } from '../wire/idempotency-key.ts';
import { queryNotation } from '../wire/notation.ts';
import { takesList } from '../wire/parameters.ts';
import { plainWords } from '../wire/plain-words.ts';
import { readQuery } from '../wire/query.ts';
import { type BodyMembers, bodyFaults, parameterFaults } from '../wire/violations.ts';
import type { CallerState, OperationContext, RequestState } from './context.ts';
import type { Step } from './step.ts';

/** Middleware before these have chosen the media type of the answer and read the body. */
interface Read {
  readonly media: string;
  readonly body: unknown;
}

const PROBLEMS = ['INVALID_PARAMETER', 'UNKNOWN_PARAMETER', 'TOO_MANY_VALUES', 'INVALID_CURSOR'] as const;

/** Checks path, query, headers and body against the operation's schemas; one answer reports every fault. */
export const validate: Step<
  KeyOperation,
  CallerState & Read & Pick<Call, 'dataset'>,
  { call: Call; idempotencyKey: string | null }
> = {
  name: 'validate',
  problems: () => PROBLEMS,
  open: (service) => (operation) => {
    const isReplayable = operation.replayable === true;
    const check = checksOf(operation);
    const notation = formNotation(operation) ?? queryNotation;
    return async (context, next) => {
      const faults = faultsOfRequest();
      const sentKeys = isReplayable ? (context.req.headersDistinct['idempotency-key'] ?? []) : [];
      const { query, ...checked } = check.parameters(context, faults);
      const key = idempotencyKey(sentKeys, faults);
      const { caller, dataset } = context.state;
      const { dryRun = false, ...parameters } = query;
      const body = check.body(context.state.body, faults);
      const wishes = { ...(notation === queryNotation ? parameters : Object(body)) };
      const form = chosenForm(wishes, context.state.media, notation, faults);
      faults.throwAny();
      await next({
        idempotencyKey: key,
        call: {
          ...checked,
          query: parameters,
          body,
          service,
          ...form,
          today: today(service.settings),
          dryRun: dryRun === true,
          caller,
          records: recordsOf(context, service),
          dataset,
        },
      });
    };
  },
};

/** The same for an operation that anybody may call. */
export const validatePublic: Step<PublicOperation, RequestState & Read, { call: PublicCall }> = {
  name: 'validate',
  problems: () => PROBLEMS,
  open: (service) => (operation) => {
    const check = checksOf(operation);
    return async (context, next) => {
      const faults = faultsOfRequest();
      const checked = check.parameters(context, faults);
      const body = check.body(context.state.body, faults);
      faults.throwAny();
      const { media } = context.state;
      await next({ call: { ...checked, body, service, media, today: today(service.settings) } });
    };
  },
};

/** Gives access to the organisation's records: in the transaction of a write, or in one for each piece of work. */
const recordsOf =
  (context: OperationContext<CallerState>, { store }: Service): Call['records'] =>
  (work) => {
    const { session, caller } = context.state;
    return session === undefined ? store.asOrganisation(caller.organisation.id, work) : work(session);
  };

const NO_QUERY = new URLSearchParams();

type Checked = Record<string, unknown>;

/** The checks of an operation; what has a fault comes back empty. */
function checksOf(operation: Operation) {
  const { pathParameters, access } = operation;
  const [querySchema, bodySchema] = [queryOf(operation), bodyOf(operation)];
  const names = Object.keys(querySchema.shape);
  // A page reads its query in the browser, and says there what is wrong with it.
  const isRead = !(querySchema.def.catchall instanceof z.ZodUnknown);
  const known = new Set(names);
  const lists = new Set(names.filter((name) => takesList(querySchema.shape[name])));
  return {
    parameters(context: OperationContext, faults: Faults): { path: Checked; query: Checked; search: URLSearchParams } {
      const sent = new URLSearchParams(context.querystring);
      // A form sends the fields that were left empty, too.
      const search = access === 'link' ? new URLSearchParams([...sent].filter(([, value]) => value !== '')) : sent;
      const path = pathParameters.safeParse(context.params, { error: plainWords });
      if (path.error !== undefined) parameterFaults(path.error, [], faults);
      const { texts, refused } = readQuery(isRead ? search : NO_QUERY, known, lists, faults);
      const query = querySchema.safeParse(texts, { error: plainWords });
      if (query.error !== undefined) parameterFaults(query.error, names, faults, refused);
      return { path: path.data ?? {}, query: query.data ?? {}, search };
    },
    body(sent: unknown, faults: Faults): unknown {
      if (bodySchema === undefined) return undefined;
      const { data, error }: z.ZodSafeParseResult<unknown> = bodySchema.safeParse(sent, { error: plainWords });
      if (error !== undefined) bodyFaults(error, sent, membersOf(bodySchema), faults);
      return data;
    },
  };
}

function membersOf(schema: z.ZodType): BodyMembers {
  const members = schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : [];
  return {
    known: members.map(([name]) => name),
    rows:
      members.find(([, member]) => !member.safeParse(undefined).success && member.safeParse([]).success)?.[0] ?? null,
  };
}
