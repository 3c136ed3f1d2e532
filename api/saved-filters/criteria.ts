import { z } from 'zod';
import { storable } from '../admin/shapes.ts';

/** The criteria of a saved filter: unit filters as the body of POST /v1/units/search has them. */
export const criteriaShape = z.record(
  storable(),
  z.union([storable(), z.number(), z.boolean(), z.array(storable())], 'must be a text, a number, a boolean or a list'),
);
