import type { z } from 'zod';
import { today } from '../../sql/settings.ts';
import type { Operation } from '../operation.ts';
import { type Violation, violated } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import { readQuery } from '../wire/query.ts';
import { bodyViolations, parameterViolations } from '../wire/violations.ts';
import type { Step } from './step.ts';

/** Checks path, query and body against the operation's schemas; every fault is told in one answer. */
export const validate =
  (service: Service): Step =>
  async (exchange, next) => {
    const { operation, pathTexts, body, dataset } = exchange.state;
    const search = new URLSearchParams(exchange.querystring);
    const violations: Violation[] = [];
    const path = checkPath(operation, pathTexts, violations);
    const query = checkQuery(operation, search, violations);
    const checkedBody = checkBody(operation, body, violations);
    if (violations.length > 0) throw violated(violations);
    exchange.state.call = { path, query, body: checkedBody, search, service, today: today(service.settings), dataset };
    await next();
  };

type Checked = Record<string, unknown>;

function checkPath(operation: Operation, texts: Readonly<Record<string, string>>, violations: Violation[]): Checked {
  const { data, error } = operation.pathParameters.safeParse(texts);
  if (error !== undefined) violations.push(...parameterViolations(error, []));
  return data ?? {};
}

function checkQuery(operation: Operation, search: URLSearchParams, violations: Violation[]): Checked {
  const { texts, violations: unreadable } = readQuery(search);
  const refused = new Set(unreadable.flatMap((violation) => ('parameter' in violation ? violation.parameter : [])));
  const { data, error } = operation.query.safeParse(texts);
  const invalid = error === undefined ? [] : parameterViolations(error, Object.keys(operation.query.shape));
  // One fault is enough for a parameter that cannot even be read.
  violations.push(...unreadable, ...invalid.filter((v) => !('parameter' in v && refused.has(v.parameter))));
  return data ?? {};
}

function checkBody(operation: Operation, body: unknown, violations: Violation[]): unknown {
  if (operation.body === undefined) return undefined;
  const { data, error }: z.ZodSafeParseResult<unknown> = operation.body.safeParse(body);
  if (error !== undefined) violations.push(...bodyViolations(error));
  return data;
}
