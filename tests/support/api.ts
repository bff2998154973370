import type { Hono } from 'hono';
import { pino } from 'pino';
import { createApi } from '../../server/app.ts';
import type { Database } from '../../server/database/open.ts';
import type { ApiEnv } from '../../server/http/context.ts';
import { createAccessTokens } from '../../server/ports/access-tokens.ts';
import type { AccessTokens } from '../../server/ports/access-tokens.ts';
import { createTestClock } from '../../server/ports/clock.ts';
import type { FileUrls } from '../../server/ports/file-urls.ts';

const START_MS = Date.UTC(2026, 3, 1);

/** Addresses that show what they were made from. */
export const testFileUrls: FileUrls = {
  picture: (key, kind) => (key === null ? null : `/pictures/${kind}/${key}/1.webp`),
  audio: (sound) => `/audio/${sound.id}${sound.is_published ? '' : '?signed'}`,
  download: (soundId) => `/download/${soundId}?signed`,
};

export interface TestApi {
  readonly app: Hono<ApiEnv>;
  readonly accessTokens: AccessTokens;
  readonly clock: ReturnType<typeof createTestClock>;
  /** One entry a log line, as parsed JSON. */
  readonly logged: Record<string, unknown>[];
  /** GETs a path, as a member when a user id is given. */
  get(path: string, userId?: string): Promise<Response>;
  /** GETs a path that must answer 200 with JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json(path: string, userId?: string): Promise<any>;
}

export function createTestApi(
  database: Database,
  { webOrigin = null }: { webOrigin?: string | null } = {},
): TestApi {
  const clock = createTestClock(START_MS);
  const accessTokens = createAccessTokens(new Uint8Array(32).fill(7), clock);
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const app = createApi({
    database,
    fileUrls: testFileUrls,
    accessTokens,
    clock,
    logger,
    webOrigin,
    catalogueChanged: () => undefined,
  });
  const get = async (path: string, userId?: string) => {
    const headers: Record<string, string> =
      userId === undefined ? {} : { authorization: `Bearer ${await accessTokens.sign(userId)}` };
    return app.request(path, { headers });
  };
  return {
    app,
    accessTokens,
    clock,
    logged,
    get,
    async json(path, userId) {
      const response = await get(path, userId);
      if (response.status !== 200)
        throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      return response.json();
    },
  };
}
