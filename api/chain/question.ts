import { z } from 'zod';
import { today } from '../../runtime/settings.ts';
import { SESSION_HEADER } from '../access/app-session.ts';
import { bodyOf, formNotation, queryOf } from '../operation/inputs.ts';
import type { RegisterListOperation } from '../operation/kinds.ts';
import type {
  Call,
  KeyOperation,
  Language,
  Operation,
  PublicCall,
  PublicOperation,
  Relay,
} from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { type Faults, faultsOfRequest, Problem } from '../problem/problem.ts';
import { chosenForm } from '../representation/parameters.ts';
import { timedReader } from '../warehouse/version.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { queryNotation } from '../wire/notation.ts';
import { versionsRead } from '../wire/paging.ts';
import { ILL_FORMED, isStorable, separatorOf } from '../wire/parameters.ts';
import { plainWords } from '../wire/plain-words.ts';
import { cut } from '../wire/quoted.ts';
import { type BodyMembers, bodyFaults, parameterFaults } from '../wire/violations.ts';
import type { CallerState, OperationContext, RequestState } from './context.ts';
import type { Step } from './step.ts';

/**
 * Reads a query as names and texts. Several values of a parameter that takes them may come each with the name again, as
 * generated clients write them. Any other parameter that is known and given twice, and one without a value, is a fault.
 * @param known names of parameters; of others, the schema says that they are unknown
 * @param separators of those that take several values: what stands between them
 * @returns the texts, and the names of those that have a fault
 */
export function readQuery(
  raw: URLSearchParams,
  known: ReadonlySet<string>,
  separators: ReadonlyMap<string, string>,
  faults: Faults,
): { texts: Record<string, string>; refused: ReadonlySet<string> } {
  const texts: Record<string, string> = Object.create(null);
  const refused = new Set<string>();
  const refuse = (name: string, why: string): void => {
    if (refused.has(name)) return;
    refused.add(name);
    const parameter = cut(name);
    faults.add(() => ({ parameter, code: 'INVALID_PARAMETER', detail: `${parameter} ${why}` }));
  };
  for (const [name, value] of raw) {
    const before = texts[name];
    if (value === '') refuse(name, 'has no value');
    else if (!isStorable(value)) refuse(name, ILL_FORMED);
    else if (before !== undefined && known.has(name) && !separators.has(name)) {
      refuse(name, 'is given more than once: send it once, or ask once for each');
    }
    texts[name] = before === undefined ? value : `${before}${separators.get(name) ?? ','}${value}`;
  }
  return { texts, refused };
}

/** Printable ASCII, as much as a header of its specification may hold. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** A text in double quotes, in which `\"` stands for a quote and `\\` for a backslash. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Reads the `Idempotency-Key` of a write: quoted as draft 7 of the header's specification has it, or bare, which means
 * the same. 1 to 255 printable characters.
 * @param headers the header, as often as it was sent
 * @returns null when it was not sent, or has a fault
 */
function idempotencyKey(headers: readonly string[], faults: Faults): string | null {
  const refuse = (detail: string): null => {
    faults.add(() => ({ header: 'Idempotency-Key', code: 'INVALID_PARAMETER', detail: `Idempotency-Key ${detail}` }));
    return null;
  };
  const [header, ...others] = headers;
  if (header === undefined) return null;
  if (others.length > 0) return refuse('is sent more than once');
  const quoted = QUOTED.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? header;
  const hasStrayQuote = quoted === undefined && /["\\]/.test(key);
  return KEY.test(key) && !hasStrayQuote
    ? key
    : refuse('must have 1 to 255 printable ASCII characters, bare or in double quotes');
}

/** Lets the request read one dataset version: taken when first asked for, kept, and released at the end. */
export const pinDataset: Step<KeyOperation, CallerState, Pick<Call, 'dataset'>> = {
  name: 'pin dataset',
  problems: ({ source }) => (source === 'register' ? ['DATASET_NOT_READY'] : []),
  open:
    ({ warehouse }) =>
    ({ id }) =>
    async (context, next) => {
      const taken: Dataset[] = [];
      const engine = { ms: 0 };
      const dataset = (): Dataset => {
        const [present] = taken;
        if (present !== undefined) return present;
        const { requestId, trace } = context.state;
        const current = warehouse.acquire({ operation: id, request: requestId, trace: trace?.traceId ?? null });
        if (current === null) {
          const retryAt = Date.now() + 10_000;
          throw new Problem('DATASET_NOT_READY', 'No dataset version has been published yet', { retryAt });
        }
        context.state.engine = engine;
        const timed = { ...current, ...timedReader(current, engine) };
        taken.push(timed);
        return timed;
      };
      try {
        await next({ dataset });
      } finally {
        for (const version of taken) version.release();
      }
    },
};

/** Middleware before these have chosen the media type of the answer and read the body. */
interface Read {
  readonly media: string;
  readonly language: Language;
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
      const form = chosenForm(wishes, context.state.media, () => written(context, service), notation, faults);
      faults.throwAny();
      await next({
        idempotencyKey: key,
        call: {
          ...checked,
          query: parameters,
          body,
          service,
          ...form,
          language: context.state.language,
          today: today(service.settings),
          dryRun: dryRun === true,
          caller,
          records: recordsOf(context, service),
          dataset,
          ...(operation.relays === true ? { relay: relayOf(context) } : {}),
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
    const isEntry = operation.otherMedia !== undefined && 'text/html' in operation.otherMedia;
    return async (context, next) => {
      const faults = faultsOfRequest();
      const { media, language } = context.state;
      const checked = check.parameters(context, faults, isEntry && media === 'text/html');
      const body = check.body(context.state.body, faults);
      faults.throwAny();
      await next({ call: { ...checked, body, service, media, language, today: today(service.settings) } });
    };
  },
};

/** The headers that say who calls (caller.ts): a key, or the session of the pages. */
const CREDENTIALS = ['authorization', 'x-api-key', 'cookie', SESSION_HEADER.toLowerCase()];

function relayOf({ req }: OperationContext<CallerState>): Relay {
  const headers = Object.entries(req.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    headers: Object.fromEntries(headers),
    credentials: Object.fromEntries(headers.filter(([name]) => CREDENTIALS.includes(name))),
  };
}

/** Gives access to the organisation's records: in the transaction of a write, or in one for each piece of work. */
const recordsOf =
  (context: OperationContext<CallerState>, { store }: Service): Call['records'] =>
  (work) => {
    const { session, caller } = context.state;
    return session === undefined ? store.asOrganisation(caller.organisation.id, work) : work(session);
  };

/** Writes the request as the source of a workbook. */
const written = (
  { method, path, querystring, state: { body } }: OperationContext<CallerState & Read>,
  { settings }: Service,
): string =>
  `${method === 'HEAD' ? 'GET' : method} ${settings.BASE_URL}${path}${querystring === '' ? '' : `?${querystring}`}` +
  (body === undefined ? '' : ` ${JSON.stringify(body)}`);

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
  const separators = new Map(
    names.flatMap((name) => {
      const separator = separatorOf(querySchema.shape[name]);
      return separator === null ? [] : [[name, separator] as const];
    }),
  );
  return {
    /** @param isPage other sites append parameters to links; people need not know that */
    parameters(
      context: OperationContext,
      faults: Faults,
      isPage = false,
    ): Record<'path' | 'query', Checked> & { search: URLSearchParams } {
      const written = new URLSearchParams(context.querystring);
      const sent = isPage ? new URLSearchParams([...written].filter(([name]) => known.has(name))) : written;
      // A form sends the fields that were left empty, too.
      const search = access === 'link' ? new URLSearchParams([...sent].filter(([, value]) => value !== '')) : sent;
      const path = pathParameters.safeParse(context.params, { error: plainWords });
      if (path.error !== undefined) parameterFaults(path.error, [], faults);
      const { texts, refused } = readQuery(isRead ? search : NO_QUERY, known, separators, faults);
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

const RETRY_MILLISECONDS = 5_000;

/**
 * Opens the newest version before a cursor or a sync token is followed that another process has given from it: all
 * processes of a service find a publication by themselves, one a moment before the other.
 */
export const catchUp: Step<RegisterListOperation, CallerState & { call: Call }> = {
  name: 'catch up',
  problems: () => ['DATASET_NOT_READY'],
  open:
    ({ cursors, syncTokens, warehouse }) =>
    () =>
    async (context, next) => {
      const { query, body } = context.state.call;
      const { cursor, syncToken } = { ...query, ...Object(body) } as { cursor?: unknown; syncToken?: unknown };
      const position = typeof cursor === 'string' ? cursors.verify(cursor) : null;
      const state = typeof syncToken === 'string' ? syncTokens.verify(syncToken) : null;
      const versions = [...(position === null ? [] : versionsRead(position)), ...(state?.versions ?? [])];
      const isBehind = () => {
        const known = new Set(warehouse.publications().map(({ version }) => version));
        return versions.some((version) => !known.has(version));
      };
      if (versions.length > 0 && isBehind()) {
        await warehouse.catchUp();
        if (isBehind() && !warehouse.upToDate()) {
          const retryAt = Date.now() + RETRY_MILLISECONDS;
          throw new Problem('DATASET_NOT_READY', 'The dataset version that was read before is not open yet', {
            retryAt,
          });
        }
      }
      await next();
    },
};
