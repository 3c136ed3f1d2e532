import { z } from 'zod';
import { entryOf } from '../../../runtime/present.ts';
import { type CustomFieldRow, customFieldRow, customFieldsOf } from '../../../sql/org/records/custom-fields.ts';
import { releaseOn, standingReleaseRow, standingReleasesOf } from '../../../sql/org/records/releases.ts';
import type { Session } from '../../../sql/org/store.ts';
import { lockFields } from '../../custom-fields/rules.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { mastrNumber } from '../../wire/parameters.ts';
import { timestampOption } from '../common/schemas.ts';
import { directionOf } from '../sharing/direction.ts';
import { type Fault, section } from './section.ts';

interface StandingRelease {
  /** Name of the field. */
  readonly field: string;
  readonly mastrNumber: string;
  readonly releasedAt: string;
}

const NAME = 'standingReleases';

/**
 * Fields released on units, for whichever connection has them in its scope. Those for one connection are in its item.
 */
export const standingReleases = section<StandingRelease>({
  name: NAME,
  shape: z.strictObject({
    field: line(NAME_LENGTH),
    mastrNumber: mastrNumber(),
    releasedAt: timestampOption(),
  }),
  key: ['field', 'mastrNumber'],
  defaults: (now) => ({ releasedAt: now }),
  async read(session, organisationId) {
    const names = new Map((await fieldsOf(session, organisationId)).map(({ id, name }) => [id, name]));
    const rows = await session.rows(standingReleaseRow, standingReleasesOf(organisationId));
    return rows.map(({ fieldId, ...row }) => ({ field: entryOf(names, fieldId), ...row }));
  },
  async write(session, organisationId, items) {
    const ids = new Map((await fieldsOf(session, organisationId)).map(({ id, name }) => [name, id]));
    const rows = items.map(({ field, ...row }) => ({ fieldId: entryOf(ids, field), ...row }));
    await session.run(releaseOn(organisationId, rows));
  },
  // A release that is there keeps its time.
  merge: (present) => present,
  async faults(session, organisationId, pairs) {
    await lockFields(session, organisationId);
    const fields = new Map((await fieldsOf(session, organisationId)).map((field) => [field.name, field]));
    return pairs.flatMap(({ index, updated }): Fault[] => {
      const message = faultOf(fields.get(updated.field), updated.field);
      return message === null ? [] : [{ path: [NAME, index, 'field'], message }];
    });
  },
});

const fieldsOf = (session: Session, organisationId: string) =>
  session.rows(customFieldRow, customFieldsOf(organisationId));

function faultOf(field: CustomFieldRow | undefined, name: string): string | null {
  if (field === undefined) return `names ${name}, which is no field of the organisation`;
  if ('direction' in directionOf(field, '')) return null;
  return `names ${name}, which crosses no connection: it is retired, of a type without values, or neither shared nor filled by the counterpart`;
}
