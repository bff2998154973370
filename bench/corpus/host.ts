import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog } from '../../server/platform/log.ts';
import { startServer } from '../../server/main.ts';
import { createUser } from '../../server/features/accounts/users.ts';
import { createSoundType } from '../../server/features/catalogue/genres/service.ts';
import { createAccessTokens } from '../../server/platform/crypto/access-tokens.ts';
import { openSecret } from '../../server/platform/crypto/secrets.ts';
import { parseSettings } from '../../server/settings.ts';
import { everyTable } from '../../server/platform/database/schema.ts';

const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 50;

/** The API's description of an uploaded sound. */
export interface Answer {
  readonly id: string;
  readonly title: string;
  readonly file_url: string;
  readonly duration_ms: number;
  readonly sample_rate_hz: number;
  readonly peaks: string;
}

/** The real host with a single artist, who uploads over HTTP. */
export async function startArtistHost(folder: string) {
  const distDir = join(folder, 'dist');
  await mkdir(join(distDir, 'client'), { recursive: true });
  const dataDir = join(folder, 'data');
  const settings = parseSettings({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off' });
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  const { url, host, close } = await startServer(settings, {
    distDir,
    render: () => Promise.resolve(new Response('<p>page</p>', { headers: { 'content-type': 'text/html' } })),
    output: { log, writeLine: () => undefined, flush: () => Promise.resolve(true) },
  });
  if (host.data === null) throw new Error('the host has no data');
  const { database } = host.data;
  const userId = await createUser(database, {
    username: 'encoders',
    email: 'encoders@example.test',
    is_verified: true,
  });
  const type = String(await createSoundType(database, { name: 'BGM' }));
  const now = Date.now();
  const session = {
    id: 'corpus',
    user_id: userId,
    token_hash: 'corpus',
    previous_hash: null,
    rotated_at: null,
  };
  await everyTable(database.db)
    .insertInto('sessions')
    .values({ ...session, created_at: now, expires_at: now + 3_600_000 })
    .execute();
  const token = await createAccessTokens(openSecret(settings, 'access-tokens')).sign({
    userId,
    sessionId: session.id,
  });
  // While a tool runs, this process handles no events, and idle connections are closed.
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };

  return {
    url,
    close,
    async upload(name: string, content: Uint8Array<ArrayBuffer>): Promise<Answer | { refused: string }> {
      const form = new FormData();
      form.append('types', type);
      form.append('filename', name);
      const mime = name.endsWith('.mp3') ? 'audio/mpeg' : 'audio/x-m4a';
      form.append('file', new Blob([content], { type: mime }), name);
      const response = await fetch(`${url}/api/sounds/`, { method: 'POST', headers, body: form });
      const body = (await response.json()) as { sound: Answer } & Record<string, string>;
      if (response.status === 200) return body.sound;
      if (response.status === 400) return { refused: Object.values(body).join(' ') };
      throw new Error(`${name}: ${response.status} ${JSON.stringify(body)}`);
    },
    /** The file as a listener receives it. */
    async download({ file_url }: Answer): Promise<Buffer> {
      const response = await fetch(new URL(file_url, url), { headers });
      if (response.status !== 200) throw new Error(`${file_url}: ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    },
    /** The waveform, which is read after the upload; the initial one of uploads if it never arrives. */
    async waitForPeaks({ id, peaks: first }: Answer): Promise<string> {
      for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
        const response = await fetch(`${url}/api/sounds/${id}/`, { headers });
        const { peaks } = (await response.json()) as Answer;
        if (peaks !== first || waited > PATIENCE_MS) return peaks;
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      }
    },
  };
}

export type ArtistHost = Awaited<ReturnType<typeof startArtistHost>>;
