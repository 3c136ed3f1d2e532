import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { type PortfolioRow, putPortfolio, RELATION_TYPES } from '../../sql/org/records/portfolio.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { bodyText, mastrNumber } from '../wire/parameters.ts';
import { answerRows, batchOf } from '../wire/rows.ts';
import { failed, PARTLY_FAILED, type WriteRow, writeAnswer, writeResponse } from '../wire/write-response.ts';
import { entriesToChange } from './change.ts';

const MAX_ENTRIES = 500;

/**
 * References to other systems are bounded, since a page holds hundreds of entries; see
 * docs/decisions/0005-organisations.md.
 */
const MAX_REFERENCES = 50;
const MAX_SYSTEM_LENGTH = 100;
const MAX_REFERENCE_LENGTH = 255;

const entry = z.strictObject(
  {
    mastrNummer: mastrNumber().describe('The unit; also the key on which entries are created or updated'),
    relationType: z
      .enum(RELATION_TYPES, `must be one of ${RELATION_TYPES.join(', ')}`)
      .describe('Role of the organisation to the unit'),
    externalRefs: z
      .record(
        bodyText(MAX_SYSTEM_LENGTH).min(1, 'must not be empty'),
        bodyText(MAX_REFERENCE_LENGTH),
        'must be an object {system: id} of texts',
      )
      .refine((references) => Object.keys(references).length <= MAX_REFERENCES, {
        error: `must have at most ${MAX_REFERENCES} members`,
      })
      .meta({ maxProperties: MAX_REFERENCES })
      .optional()
      .describe(
        `Identifiers in other systems, at most ${MAX_REFERENCES}; names of up to ${MAX_SYSTEM_LENGTH} characters, values of ` +
          `up to ${MAX_REFERENCE_LENGTH}. Left out = stays as it is, {} = none`,
      ),
  },
  'must be an object',
);

type Entry = z.infer<typeof entry>;

/** Creates or updates entries independently of each other; a removed entry is restored. */
export const putPortfolioEntries = operation({
  id: 'portfolio.put',
  method: 'POST',
  path: '/v1/portfolio',
  summary: 'Create or update entries',
  description:
    'The key is the MaStR number: there is one entry for a unit, whatever its externalRefs. A number that the register ' +
    'does not know fails its row with NOT_FOUND, a fault inside a row fails that row with UNPROCESSABLE, and so does a ' +
    'number that came in a row before.',
  access: 'api',
  scope: 'portfolio:write',
  module: 'portfolio',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  body: z.strictObject({ entries: batchOf(entry, MAX_ENTRIES) }),
  answer: writeResponse,
  otherStatuses: PARTLY_FAILED,
  problems: ['DATASET_NOT_READY'],
  example: {
    body: {
      entries: [{ mastrNummer: 'SEE900000000001', relationType: 'OPERATOR', externalRefs: { crm: 'A-17' } }],
    },
  },
  async handle({ body, caller, records, dataset, dryRun }) {
    const answers = await answerRows({
      rows: body.entries,
      shape: entry,
      key: 'mastrNummer',
      async write(entries) {
        const numbers = entries.map(({ mastrNummer }) => mastrNummer);
        const existing = numbers.length === 0 ? new Set<string>() : await dataset().units.existing(numbers);
        return records((session) => put(session, caller.organisation.id, entries, existing));
      },
    });
    return writeAnswer(answers, dryRun);
  },
});

/** Writes the entries of units that the register has; the answers come in the order of the entries. */
async function put(
  session: Session,
  organisationId: string,
  entries: readonly Entry[],
  existing: ReadonlySet<string>,
): Promise<WriteRow[]> {
  const { at, present } = await entriesToChange(session, organisationId, [...existing]);
  const changes: PortfolioRow[] = [];
  const answers = entries.map((entry): WriteRow => {
    const { mastrNummer } = entry;
    if (!existing.has(mastrNummer)) {
      return failed('NOT_FOUND', `The register has no unit ${mastrNummer}`, mastrNummer);
    }
    const old = present.get(mastrNummer);
    const row = changed(old, entry, at);
    if (row !== old) changes.push(row);
    const status = old === undefined ? 'created' : row === old ? 'unchanged' : 'updated';
    return { id: row.id, externalId: mastrNummer, status };
  });
  if (changes.length > 0) await session.run(putPortfolio(organisationId, changes));
  return answers;
}

/** Returns the new row of an entry; the old row itself when nothing changes. */
function changed(old: PortfolioRow | undefined, entry: Entry, at: string): PortfolioRow {
  const { mastrNummer: mastrNumber, relationType, externalRefs = old?.externalRefs ?? {} } = entry;
  if (old === undefined) {
    const id = randomUUIDv7();
    return { id, mastrNumber, relationType, externalRefs, createdAt: at, updatedAt: at, removedAt: null };
  }
  const same = old.removedAt === null && old.relationType === relationType && equal(old.externalRefs, externalRefs);
  return same ? old : { ...old, relationType, externalRefs, updatedAt: at, removedAt: null };
}

const equal = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value);
