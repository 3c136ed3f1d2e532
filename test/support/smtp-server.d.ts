/** The part of smtp-server that tests use. */
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  export class SMTPServer {
    constructor(options: {
      readonly disabledCommands: readonly string[];
      readonly authOptional: boolean;
      readonly logger: boolean;
      onRcptTo(address: { readonly address: string }, session: unknown, done: (error?: Error) => void): void;
      onData(stream: Readable, session: unknown, done: (error?: Error) => void): void;
    });
    readonly server: Server;
    listen(port: number, host: string, listening: () => void): void;
    close(closed: () => void): void;
  }
}
