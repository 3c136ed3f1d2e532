import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server on loopback: it keeps what it takes, and refuses as a test says. */
export interface MailServer {
  /** For SMTP_URL. */
  readonly url: string;
  readonly taken: readonly Taken[];
  /** The answers to the next messages: a number refuses one. */
  readonly refusals: number[];
  close(): Promise<void>;
}

interface Taken {
  readonly to: string;
  readonly headers: string;
  readonly body: string;
}

export async function startMailServer(): Promise<MailServer> {
  const taken: Taken[] = [];
  const refusals: number[] = [];
  let to = '';
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    onRcptTo({ address }, _, done) {
      to = address;
      const refusal = refusals.shift();
      // Servers repeat the address where they refuse it.
      done(refusal === undefined ? undefined : Object.assign(new Error(`No ${address}`), { responseCode: refusal }));
    },
    onData(stream, _, done) {
      text(stream).then((message) => {
        const [headers = '', ...body] = message.split('\r\n\r\n');
        taken.push({ to, headers: headers.replace(/\r\n[ \t]+/g, ' '), body: decoded(headers, body.join('\r\n\r\n')) });
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    taken,
    refusals,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function decoded(headers: string, body: string): string {
  if (/^content-transfer-encoding: base64/im.test(headers)) return Buffer.from(body, 'base64').toString();
  const joined = body.replace(/=\r\n/g, '');
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
