import type { Settings } from '../../../runtime/settings.ts';

/** The operator's mail server (SMTP_URL). */
export interface SmtpServer {
  /** @throws Error with `responseCode` where the server refuses the message */
  send(message: Message): Promise<void>;
  close(): void;
}

interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Address of a page that stops such messages; a POST there does it. */
  readonly unsubscribe: string;
  /** The same whenever this message is sent again. */
  readonly id: string;
}

/** null = the operator has set none */
export async function openSmtp({ SMTP_URL, SMTP_FROM, BASE_URL }: Settings): Promise<SmtpServer | null> {
  if (SMTP_URL === null || SMTP_FROM === null) return null;
  const { createTransport } = await import('nodemailer');
  const url = new URL(SMTP_URL);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const transport = createTransport({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    // A password goes over TLS alone.
    ...(user === '' ? {} : { requireTLS: true, auth: { user, pass: decodeURIComponent(url.password) } }),
    // Together less than the claim on a message.
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
    // Nothing of a message is read from files or other hosts.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = new URL(BASE_URL).hostname.replace(/[[\]]/g, '');
  return {
    async send({ to, subject, text, unsubscribe, id }) {
      await transport.sendMail({
        from: SMTP_FROM,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: [
          { key: 'List-Unsubscribe', value: `<${unsubscribe}>` },
          { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
          { key: 'Auto-Submitted', value: 'auto-generated' },
        ],
      });
    },
    close: () => transport.close(),
  };
}
