import type { Catalogue } from '../../units/catalogue.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { UnitFields } from '../../v1/unit-answers.ts';

/** The subject of all parts of the page. */
export interface UnitProps {
  readonly unit: UnitFields;
  readonly catalogue: Catalogue;
  readonly request: ApiRequest;
  /** Name of the unit; its number where it has none. */
  readonly name: string;
}
