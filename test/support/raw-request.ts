import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Requests as bytes on a socket, for what no HTTP client sends. */

interface RawAnswer {
  readonly status: number;
  /** Status line and headers, as they came. */
  readonly head: string;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  readonly json: any;
}

/** A connection to the service. */
export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Writes bytes as they are. @returns what has come when the connection is closed, also when it breaks */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const socket = await open(url);
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await new Promise((resolve) => socket.on('close', resolve));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const isJson = /^content-type: \S*json/im.test(head);
  return { status: Number(head.split(' ')[1]), head, body, json: isJson ? JSON.parse(body) : undefined };
}
