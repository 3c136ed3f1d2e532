import { isDeepStrictEqual } from 'node:util';
import { differences } from '../../../support/differences.ts';
import type { Server } from '../../clickhouse/server.ts';
import { type Subject, stopSubject } from '../../support/subject.ts';
import { type Body, type Client, openClient, Refused } from '../client.ts';
import type { ComparedSystem } from '../compared-system.ts';

/**
 * The service again, over ClickHouse, asked by the same requests: its answers must be equal to the last letter.
 * @param start starts it over the warehouse of this address
 */
export function comparedClickHouse(server: Server, start: (warehouse: string) => Promise<Subject>): ComparedSystem {
  let subject: Subject | null = null;
  let client: Client | null = null;
  return {
    name: 'ClickHouse',
    described: server.described,
    async ready() {
      await server.prewarm();
      subject = await start(server.url);
      client = openClient(subject);
    },
    canAnswer: () => true,
    async send({ path, headers, status = 200 }) {
      const answer = await client!.get(path, headers);
      if (answer.status !== status) throw new Refused(`${path.slice(0, 200)} answered ${answer.status}`);
      const { milliseconds } = answer;
      return { milliseconds, differences: (body) => unequal(body, answer.json()) };
    },
    sendPlain: null,
    restartCold: null,
    service: () => subject,
    async stop() {
      client?.close();
      if (subject !== null) await stopSubject(subject);
      await server.close();
    },
  };
}

/** The first difference. */
function unequal(ours: Body, theirs: Body): string[] {
  if (isDeepStrictEqual(ours, theirs)) return [];
  return differences(rows(ours), rows(theirs), 1).map((line) => line.slice(0, 300));
}

/** An answer member by member, its list row by row. */
const rows = ({ data, ...rest }: Body): Map<string, unknown> =>
  new Map<string, unknown>([...Object.entries(rest), ...Object.entries(data)]);
