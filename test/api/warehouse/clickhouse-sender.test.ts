import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSender, type StatementSender } from '../../../api/warehouse/clickhouse/sender.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { type WarehouseStatement, withQueryParams } from '../../../sql/query/statement.ts';
import { type Bridge, openBridge } from '../../support/clickhouse-bridge.ts';

const SETTINGS = { wait_end_of_query: 1 } as const;

const ask = (sender: StatementSender, statement: WarehouseStatement): Promise<object[]> =>
  sender.query(withQueryParams(statement), SETTINGS, AbortSignal.timeout(20_000));

describe('a statement of a request', () => {
  let bridge: Bridge;
  let sender: StatementSender;
  beforeAll(async () => {
    bridge = await openBridge();
    sender = openSender(clickhouseAddress(bridge.url('energy_sender', 'energy_reader')), 'system', 4);
  });
  afterEach(() => {
    bridge.outcomeOf = () => 'answered';
  });
  afterAll(async () => {
    sender.close();
    await bridge.close();
  });

  const WILD = 'a\tb\nc\r\'d\' "e" \\f {g:String} ü€😀 %41 &h=i';

  test('has its values as they were given, in the address or in the body', async () => {
    const text = 'SELECT $text AS text, $list AS list, $number AS number, $part AS part, $yes AS yes, [] AS none';
    for (const length of [2, 1500]) {
      const list = Array.from({ length }, (_, index) => `${WILD}${index}`);
      const values = { text: WILD, list, number: 40_000, part: 0.25, yes: true };
      expect(await ask(sender, { text, values })).toEqual([{ ...values, none: null }]);
    }
  });

  test('has its rows in their order, with the same columns also when there are many', async () => {
    const text = 'SELECT toInt32(number) AS n, toString(number) AS t FROM numbers(70000)';
    const rows = await ask(sender, { text, values: {} });
    expect(rows).toEqual(Array.from({ length: 70_000 }, (_, n) => ({ n, t: String(n) })));
    expect(await ask(sender, { text: `${text} WHERE 0`, values: {} })).toEqual([]);
  });

  test('fails with the code of the server, whatever the status is', async () => {
    await expect(ask(sender, { text: 'SELECT missing', values: {} })).rejects.toMatchObject({ code: '47' });
    bridge.outcomeOf = () => 'exception';
    await expect(ask(sender, { text: 'SELECT 1', values: {} })).rejects.toMatchObject({ code: '241' });
  });

  test.each(['broken', 'shortened', 'failed', 'refused', 'lost'] as const)(
    'fails when its answer is %s',
    async (outcome) => {
      bridge.outcomeOf = () => outcome;
      await expect(ask(sender, { text: 'SELECT number FROM numbers(1000)', values: {} })).rejects.toThrow();
    },
  );

  test('ends when it is given up', async () => {
    const query = withQueryParams({ text: 'SELECT sleep(3)', values: {} });
    const error = await sender.query(query, SETTINGS, AbortSignal.timeout(50)).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: 'AbortError' });
  });
});

test('a statement is repeated on a connection that was idle and that the server has closed', async () => {
  let sent = 0;
  // It says nothing of how long it keeps connections, and ends one with the second request on it.
  const server = createServer((request, response) => {
    sent++;
    if (sent === 2) return void request.socket.destroy();
    response.writeHead(200, { 'keep-alive': 'timeout=60' }).end('{"n": [1]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sender = openSender(
    { url: `http://127.0.0.1:${port}`, username: 'u', password: 'p', prefix: 'energy' },
    'd',
    1,
  );
  try {
    for (let asked = 0; asked < 2; asked++)
      expect(await ask(sender, { text: 'SELECT 1', values: {} })).toEqual([{ n: 1 }]);
    expect(sent).toBe(3);
  } finally {
    sender.close();
    server.close();
  }
});
