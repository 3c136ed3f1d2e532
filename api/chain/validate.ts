import { z } from 'zod';
import { today } from '../../runtime/settings.ts';
import type { Caller } from '../access/caller.ts';
import type { Call, Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { type Faults, faultsOfRequest } from '../problem/faults.ts';
import { idempotencyKey } from '../wire/idempotency-key.ts';
import { dryRunParameter } from '../wire/parameters.ts';
import { readQuery } from '../wire/query.ts';
import { bodyFaults, parameterFaults } from '../wire/violations.ts';
import type { Context, Middleware } from './context.ts';

/** Checks path, query, headers and body against the operation's schemas; every fault is told in one answer. */
export const validate =
  (service: Service): Middleware =>
  async (context, next) => {
    const { pathTexts, body, dataset } = context.state;
    const operation = context.state.operation!;
    const search = new URLSearchParams(context.querystring);
    const faults = faultsOfRequest();
    const path = checkPath(operation, pathTexts, faults);
    const { dryRun = false, ...query } = checkQuery(operation, search, faults);
    const sentKeys = context.req.headersDistinct['idempotency-key'] ?? [];
    const key = operation.replayable === true ? idempotencyKey(sentKeys, faults) : null;
    const checkedBody = checkBody(operation, body, faults);
    faults.throwAny();
    context.state.idempotencyKey = key;
    context.state.call = {
      path,
      query,
      body: checkedBody,
      search,
      service,
      media: context.state.media,
      today: today(service.settings),
      dryRun: dryRun === true,
      get caller() {
        return callerOf(context);
      },
      records: recordsOf(context, service),
      dataset,
    };
    await next();
  };

function callerOf(context: Context): Caller {
  const { caller, operation } = context.state;
  if (caller === undefined) throw new Error(`${operation?.id} is public: it knows no caller`);
  return caller;
}

/** The doors to the organisation's records: the transaction of a write, or one for each piece of work. */
const recordsOf =
  (context: Context, { store }: Service): Call['records'] =>
  (work) => {
    const { session } = context.state;
    return session === undefined ? store.asOrganisation(callerOf(context).organisation.id, work) : work(session);
  };

type Checked = Record<string, unknown>;

function checkPath(operation: Operation, texts: Readonly<Record<string, string>>, faults: Faults): Checked {
  const { data, error } = operation.pathParameters.safeParse(texts);
  if (error !== undefined) parameterFaults(error, [], faults);
  return data ?? {};
}

function checkQuery(operation: Operation, search: URLSearchParams, faults: Faults): Checked {
  const schema = operation.replayable === true ? operation.query.extend({ dryRun: dryRunParameter }) : operation.query;
  const { texts, refused } = readQuery(search, faults);
  const { data, error } = schema.safeParse(texts);
  if (error !== undefined) parameterFaults(error, Object.keys(schema.shape), faults, refused);
  return data ?? {};
}

function checkBody(operation: Operation, body: unknown, faults: Faults): unknown {
  if (operation.body === undefined) return undefined;
  const { data, error }: z.ZodSafeParseResult<unknown> = operation.body.safeParse(body);
  const members = operation.body instanceof z.ZodObject ? Object.keys(operation.body.shape) : [];
  if (error !== undefined) bodyFaults(error, members, faults);
  return data;
}
