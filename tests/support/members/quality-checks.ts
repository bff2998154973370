import { join } from 'node:path';
import { applyForQualityCheck } from '#contract/accounts/quality-check.ts';
import type { Database } from '#server/platform/database/open.ts';
import type { ReviewDeps } from '#server/features/reviews/quality-check/review.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { TEST_SITE_URL } from '#support/http/api.ts';
import type { TestApi } from '#support/http/api.ts';
import { makeFolder } from '#support/files/folders.ts';
import { sendForm } from '#support/sounds/uploads.ts';
import type { Part } from '#support/http/forms.ts';
import { makeM4a, makeMp3 } from '#support/files/sound-fixtures.ts';

/** Two MP3s and an M4A, each with a different song. */
export async function makeSongs(): Promise<Uint8Array[]> {
  return [await makeMp3(0.5), await makeMp3(0.7), makeM4a(30)];
}

/** Files of an application by slot, from the first on; names are not significant. */
export function toFileParts(contents: readonly Uint8Array[]): Part[] {
  return contents.map((content, index) => ({
    name: `file_${index + 1}`,
    filename: `${index + 1}曲目.mp3`,
    type: 'audio/mpeg',
    content,
  }));
}

export async function apply(api: TestApi, userId: string, parts: readonly Part[]): Promise<Response> {
  return sendForm(api, 'POST', applyForQualityCheck.path, parts, userId);
}

/** Sounds are read in pieces from disk, so files in memory do not work. */
export async function openTestTemporaryFiles() {
  return openTemporaryFiles(join(await makeFolder(), 'temporary'));
}

export function toReviewDeps(
  database: Database,
  api: Pick<TestApi, 'clock'>,
  storage: ReviewDeps['storage'],
  catalogueChanged: () => void = () => undefined,
): ReviewDeps {
  return {
    database,
    storage,
    clock: api.clock,
    logger: { error: () => undefined } as unknown as ReviewDeps['logger'],
    siteUrl: TEST_SITE_URL,
    siteName: 'Otoichi',
    catalogueChanged,
  };
}
