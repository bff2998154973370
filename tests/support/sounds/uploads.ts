import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { eraseDeletedSounds } from '#server/features/my-sounds/deletion.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createUser } from '#server/features/accounts/users.ts';
import type { NewUser } from '#server/features/accounts/users.ts';
import { createTestApi } from '#support/http/api.ts';
import type { TestApi, TestApiOptions } from '#support/http/api.ts';
import { useApi } from '#support/http/use-api.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import type { Part } from '#support/http/forms.ts';
import { createMemoryStorage } from '#support/files/memory-files.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import { SOUND_GRACE_DAYS } from '#server/features/catalogue/sound-rows.ts';

/** An API that stores forms on disk, because audio is read from there, with its storage. */
export async function createUploadApi(database: Database, parts: TestApiOptions = {}) {
  const { forms, temporaryFiles } = await openForms();
  const storage = createMemoryStorage();
  return { storage, ...forms, api: createTestApi(database, { storage, temporaryFiles, ...parts }) };
}

/** Such an API for each test of a block. */
export function useUploadApi<Parts extends TestApiOptions = object>(
  open: () => Promise<Database>,
  make?: (database: Database) => Parts | Promise<Parts>,
) {
  return useApi(open, async (database) => ({
    ...(await openForms()),
    ...((await make?.(database)) as Parts),
  }));
}

async function openForms() {
  const folder = await mkdtemp(join(tmpdir(), 'otoichi-forms-'));
  // A waveform may still be in progress.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 }));
  return { forms: { folder }, temporaryFiles: await openTemporaryFiles(folder) };
}

/** A verified member. */
export function addUploader(database: Database, name: string, more: Partial<NewUser> = {}): Promise<string> {
  return createUser(database, {
    username: name,
    email: `${name}@example.test`,
    is_verified: true,
    ...more,
  });
}

export async function sendForm(
  api: TestApi,
  method: 'POST' | 'PATCH',
  path: string,
  parts: readonly Part[],
  userId: string | null,
): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': FORM_TYPE };
  if (userId !== null) headers['authorization'] = `Bearer ${await api.logIn(userId)}`;
  return api.app.request(path, { method, headers, body: toFormBytes(parts) as BodyInit });
}

export interface SentSound {
  readonly content: Uint8Array;
  readonly type: string;
  readonly name?: string;
  readonly mime?: string;
  /** The `filename` text of spec §7. */
  readonly filename?: string;
}

export function sendSound(api: TestApi, userId: string | null, sound: SentSound): Promise<Response> {
  const { content, type, name = '音.mp3', mime = 'audio/mpeg', filename = name } = sound;
  const parts: Part[] = [
    { name: 'types', content: type },
    { name: 'filename', content: filename },
    { name: 'file', filename: name, type: mime, content },
  ];
  return sendForm(api, 'POST', '/api/sounds/', parts, userId);
}

/** The new sound in the reply; throws if there is none. */
export async function readSound(response: Response): Promise<Record<string, unknown> & { id: string }> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { sound: Record<string, unknown> & { id: string } }).sound;
}

/** Changes a sound; a list is sent as repeated fields. */
export function patchSound(
  api: TestApi,
  userId: string | null,
  id: string,
  texts: Readonly<Record<string, string | readonly string[]>>,
  thumbnail?: Uint8Array,
): Promise<Response> {
  const parts: Part[] = Object.entries(texts).flatMap(([name, value]) =>
    [value].flat().map((content) => ({ name, content })),
  );
  if (thumbnail !== undefined) {
    parts.push({ name: 'thumbnail', filename: 'a.png', type: 'image/png', content: thumbnail });
  }
  return sendForm(api, 'PATCH', `/api/sounds/${id}/`, parts, userId);
}

export async function removeSound(api: TestApi, userId: string | null, id: string): Promise<Response> {
  const headers: Record<string, string> = {};
  if (userId !== null) headers['authorization'] = `Bearer ${await api.logIn(userId)}`;
  return api.app.request(`/api/sounds/${id}/`, { method: 'DELETE', headers });
}

/** Lets the days pass in which artists can have deleted sounds back, and erases these. */
export async function eraseDeleted(api: TestApi, storage: Storage): Promise<void> {
  api.clock.advance(SOUND_GRACE_DAYS * 86_400_000);
  await eraseDeletedSounds({ ...api.deps, storage });
}

/** The ids of all sounds and the keys of their files, after a check of each file against its hash. */
export async function readWholeSounds({ db }: Database, storage: Storage) {
  const rows = await everyTable(db)
    .selectFrom('sounds')
    .select(['id', 'audio_key', 'content_hash'])
    .execute();
  for (const { audio_key, content_hash } of rows) {
    const content = await buffer(await storage.open(`sounds/${audio_key}`));
    expect(createHash('sha256').update(content).digest('hex')).toBe(content_hash);
  }
  const keys = rows.map(({ audio_key }) => `sounds/${audio_key}`);
  return { ids: new Set(rows.map(({ id }) => id)), keys: keys.toSorted() };
}
