import { type Loaded, mapLoaded } from '../v1/loaded.ts';
import type { ApiRequest } from '../v1/request.ts';
import type { CatalogField, FieldCatalog } from '../v1/unit-answers.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { type Catalogue, catalogueOf } from './catalogue.ts';

const FIELDS: ApiRequest = { path: '/v1/units/fields' };

/** @param isWanted false: it is not loaded yet */
export const useCatalogue = (isWanted = true): Loaded<Catalogue> =>
  mapLoaded(useAnswer<FieldCatalog>(isWanted ? FIELDS : null), ({ data }) => {
    const known = catalogues.get(data) ?? catalogueOf(data);
    catalogues.set(data, known);
    return known;
  });

/** One catalogue for each answer, so that what depends on it is not computed anew with every drawing. */
const catalogues = new WeakMap<readonly CatalogField[], Catalogue>();
