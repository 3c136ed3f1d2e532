import type { Condition } from '../../sql/query/conditions.ts';
import { conspicuousParameter, NOT_CONSPICUOUS } from '../quality/conspicuous.ts';
import { standParameter } from '../state/state.ts';
import { unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { queryNotation } from '../wire/notation.ts';
import { listParameter } from '../wire/parameters.ts';

/** Every question about a grid takes these beside its own parameters. */
export const gridParameters = {
  stand: standParameter(queryNotation),
  ...conspicuousParameter,
  ...portfolioShape(queryNotation),
  ...unitFilterShape(queryNotation),
};

/** The operators that a question is about: there must be one, or all units of the register would be joined. */
export const operatorsParameter = () =>
  listParameter().describe('Names of grid operators, as GET /v1/netz/netzbetreiber lists them');

/** The conditions on units that count. */
export const counted = (conditions: readonly Condition[], auffaellige: string): readonly Condition[] =>
  auffaellige === 'mit' ? conditions : [...conditions, NOT_CONSPICUOUS];
