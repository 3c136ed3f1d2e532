import { z } from 'zod';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import type { OrgStore, Session, Work } from '../../../sql/org/store.ts';

/** Takes statements down while they run, and finds out from their plans what they read. */

export interface Taken {
  readonly statement: StoreStatement;
  /** The organisation in whose name it ran; null = for all. */
  readonly organisation: string | null;
}

/** Returns the store with a list of its statements, each text once for an organisation and once for all. */
export function takingDown(store: OrgStore): { store: OrgStore; taken: Map<string, Taken> } {
  const taken = new Map<string, Taken>();
  const note = (statement: StoreStatement, organisation: string | null) =>
    taken.set(`${organisation === null} ${statement.text}`, { statement, organisation });
  const noting = (session: Session, organisation: string | null): Session => ({
    rows(shape, statement) {
      note(statement, organisation);
      return session.rows(shape, statement);
    },
    row(shape, statement) {
      note(statement, organisation);
      return session.row(shape, statement);
    },
    run(statement) {
      note(statement, organisation);
      return session.run(statement);
    },
  });
  const inName =
    <Result>(work: Work<Result>, organisation: string | null): Work<Result> =>
    (session) =>
      work(noting(session, organisation));
  return {
    taken,
    store: {
      ...store,
      asOrganisation: (id, work, access) => store.asOrganisation(id, inName(work, id), access),
      asOperator: (work) => store.asOperator(inName(work, null)),
    },
  };
}

const planRow = z.looseObject({ 'QUERY PLAN': z.unknown() });

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Lists the tables that are read from one end without a condition, themselves or by an index. */
const readWhole = (node: PlanNode): string[] => {
  const table = node['Relation Name'];
  const below = (node.Plans ?? []).flatMap(readWhole);
  const isScan = /^(Seq|Index|Index Only) Scan$/.test(node['Node Type']);
  return isScan && table !== undefined && node['Index Cond'] === undefined ? [table, ...below] : below;
};

/** Returns the text that has a plan: that of a cursor is its query's; other statements about cursors and settings have none. */
const explainable = (text: string): string | null => {
  const query = text.trim().replace(/^DECLARE .*? FOR\s/s, '');
  return /^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(query) ? query : null;
};

/**
 * Explains a statement where reading whole tables is forbidden. @returns the tables of which it reads all nevertheless; null
 * for what has no plan
 */
export async function tablesReadWhole(store: OrgStore, { statement, organisation }: Taken): Promise<string[] | null> {
  const query = explainable(statement.text);
  if (query === null) return null;
  const explain: Work<PlanNode> = async (session) => {
    await session.run(sql`SET LOCAL enable_seqscan = off`);
    const rows = await session.rows(planRow, { ...statement, text: `EXPLAIN (FORMAT JSON) ${query}` });
    const shown = rows[0]?.['QUERY PLAN'];
    return (typeof shown === 'string' ? JSON.parse(shown) : shown)[0].Plan;
  };
  const planned = organisation === null ? store.asOperator(explain) : store.asOrganisation(organisation, explain);
  return [...new Set(readWhole(await planned))];
}

/** A text in one line. */
export const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
