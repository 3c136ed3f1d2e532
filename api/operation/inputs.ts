import { z } from 'zod';
import { representationShape } from '../representation/parameters.ts';
import { bodyNotation, type Notation, queryNotation } from '../wire/notation.ts';
import { dryRunParameter } from '../wire/parameters.ts';
import { mediaOf, type Operation } from './operation.ts';

/** Collects what a caller may send to an operation: what it declares, and what follows from its other members. */

export function queryOf(operation: Operation): z.ZodObject {
  const { query, replayable } = operation;
  const whole = replayable === true ? query.safeExtend({ dryRun: dryRunParameter }) : query;
  return formNotation(operation) === queryNotation ? withForm(whole, operation, queryNotation) : whole;
}

export function bodyOf(operation: Operation): z.ZodType | undefined {
  const { body } = operation;
  return body instanceof z.ZodObject && formNotation(operation) === bodyNotation
    ? withForm(body, operation, bodyNotation)
    : body;
}

/** The notation in which the form of the answer is chosen: where the rest of the question is. Null = there is no choice. */
export function formNotation({ table, body }: Operation): Notation | null {
  if (table === undefined) return null;
  return body === undefined ? queryNotation : bodyNotation;
}

const withForm = (schema: z.ZodObject, operation: Operation, notation: Notation): z.ZodObject =>
  schema.safeExtend(representationShape(mediaOf(operation), notation));
