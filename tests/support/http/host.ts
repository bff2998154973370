import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import type { HostOptions } from '#server/host.ts';
import { createLog } from '#server/platform/log.ts';
import type { LogOutput } from '#server/platform/log.ts';
import { startServer } from '#server/main.ts';
import { createAccessTokens } from '#server/platform/crypto/access-tokens.ts';
import { readOrMakeSecret } from '#server/platform/crypto/secrets.ts';
import { parseSettings } from '#server/settings.ts';
import { copyTemplate } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const HOUR_MS = 3_600_000;

interface StartOptions extends Pick<HostOptions, 'measureFree'> {
  /** A data folder of an earlier host; by default a new one. */
  readonly existingDataDir?: string;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of the storage, if it is not in the data folder. */
  readonly files?: string;
}

/** The complete server on a free port, with SQLite and empty pages, in a folder that is removed after the test. */
export async function startHost({ existingDataDir, env = {}, files, ...options }: StartOptions = {}) {
  const folder = await makeFolder();
  const distDir = join(folder, 'dist');
  await mkdir(join(distDir, 'client'), { recursive: true });
  const dataDir = existingDataDir ?? join(folder, 'data');
  if (existingDataDir === undefined) {
    await mkdir(dataDir);
    copyTemplate(join(dataDir, 'site.sqlite'));
  }
  const parsed = parseSettings({ PORT: '0', DATA_DIR: dataDir, ...env });
  const storagePlace = files === undefined ? parsed.storage : { kind: 'folder' as const, path: files };
  const settings = { ...parsed, storage: storagePlace };
  const lines: string[] = [];
  const server = await startServer(settings, {
    ...options,
    distDir,
    render: async (target) =>
      new Response('<p>page</p>', { headers: { 'content-type': 'text/html', 'x-rendered': target } }),
    output: toOutput((line) => void lines.push(line)),
  });
  const { url, host } = server;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  onTestFinished(close);
  if (host.data === null) throw new Error('the host has no data');
  const { database, storage } = host.data;
  const port = Number(new URL(url).port);
  return {
    url,
    settings,
    dataDir,
    lines,
    database,
    storage,
    /** Ends it before the test does. */
    close,
    logIn: (userId: string) => logIn(database, dataDir, userId),
    connect: () => connectTo(port),
    /** GETs a path without normalising it. */
    async getRaw(path: string): Promise<{ status: number; body: Buffer }> {
      return new Promise((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
          buffer(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
        });
        asked.on('error', reject).end();
      });
    },
  };
}

/** Where a host writes its log and its lines; nowhere by default. */
export function toOutput(write: (line: string) => void = () => undefined): LogOutput {
  return { log: createLog('info', { write }), writeLine: write, flush: () => Promise.resolve(true) };
}

/** An access token like those of the host with this data folder. */
export async function logIn(database: Database, dataDir: string, userId: string): Promise<string> {
  const sessionId = `session-${randomUUID()}`;
  const now = Date.now();
  await everyTable(database.db)
    .insertInto('sessions')
    .values({
      id: sessionId,
      user_id: userId,
      token_hash: sessionId,
      previous_hash: null,
      rotated_at: null,
      created_at: now,
      expires_at: now + HOUR_MS,
      authenticated_at: now,
    })
    .execute();
  return createAccessTokens(readOrMakeSecret(dataDir, 'access-tokens')).sign({ userId, sessionId });
}

/** The same for a host in another process, whose SQLite file is opened briefly. */
export async function withDatabaseOf<Result>(
  dataDir: string,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'site.sqlite') });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

export interface RawConnection {
  readonly socket: Socket;
  /** The bytes received so far. */
  read(): string;
  /** Resolves once the answer matches, or the other side has closed the connection. */
  waitFor(pattern: RegExp): Promise<string>;
}

async function connectTo(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    read: () => text,
    waitFor: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (pattern.test(text) || socket.closed) resolve(text);
        };
        socket.on('data', look).on('close', look);
        look();
      }),
  };
}
