import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { createOutbox } from '#server/features/mail/outbox.ts';
import { openSmtpMail } from '#server/platform/mail/smtp.ts';
import type { Platform } from '#server/platform/http/context.ts';
import { TEST_SITE_URL } from '#support/http/api.ts';
import { readMail } from '#support/members/mails.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly bytes: Buffer;
}

export interface TestSmtp {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** The number of connections. */
  countConnections(): number;
  close(): Promise<void>;
}

/** A mail server on this machine. `port` 0 picks a free one; `options` add failures. */
export async function startSmtp(port = 0, options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const received: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          bytes: Buffer.concat(chunks),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= new Promise<void>((resolve) => server.close(() => resolve())));
  onTestFinished(close);
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    countConnections: () => connections,
    close,
  };
}

/** The refusal of a mail server; `enhanced` as in RFC 3463. */
export function refusal(code: number, enhanced?: string): Error {
  return Object.assign(new Error(`${enhanced === undefined ? '' : `${enhanced} `}no`), {
    responseCode: code,
  });
}

/** A server that calls `greet` for each connection; by default it does nothing. */
export async function startSilence(greet: (socket: Socket) => void = () => undefined): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    greet(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends the mails that are due, and returns them as a mail server receives them. */
export async function deliverMails({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  const smtp = await startSmtp();
  const origin = { from: { name: 'Otoichi', address: 'no-reply@site.example' }, siteUrl: TEST_SITE_URL };
  const transport = openSmtpMail(`smtp://127.0.0.1:${smtp.port}`, origin);
  const outbox = createOutbox({ database, transport, clock, log: pino({ level: 'silent' }) });
  await outbox.sendDue(new AbortController().signal);
  await transport.close();
  return smtp.received.map(({ to, bytes }) => ({ to, mail: readMail(bytes) }));
}
