/** The part of nodemailer that is used. It is loaded by those alone who send e-mails (smtp.ts). */
declare module 'nodemailer' {
  export function createTransport(options: Readonly<Record<string, unknown>>): {
    sendMail(message: Readonly<Record<string, unknown>>): Promise<unknown>;
    close(): void;
  };
}
