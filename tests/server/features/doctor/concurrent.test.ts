import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { approveQualityCheck, rejectQualityCheck } from '#server/features/reviews/quality-check/review.ts';
import { getRow, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { makeHealthySite } from './doctor.ts';
import { createVisitor } from '#support/sounds/downloads.ts';
import { apply, makeSongs, toFileParts, toReviewDeps } from '#support/members/quality-checks.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import { addUploader, createUploadApi, readSound, sendSound } from '#support/sounds/uploads.ts';

describe.each(ruleDatabases)('the doctor on $name', ({ locate }) => {
  test(
    'finds nothing while members upload, delete, download and apply, and staff decide',
    async () => {
      const site = await makeHealthySite(locate);
      const { database, storage, staffId, sounds } = site;
      const type = String(site.typeId);
      const { api } = await createUploadApi(database, { storage });
      api.clock.advance(Date.now() - api.clock.now());
      const done = { uploads: 0, deletions: 0, downloads: 0, decisions: 0 };
      const ending = new AbortController();
      const { signal } = ending;
      const failures: string[] = [];
      const require = async (response: Response) => {
        if (!response.ok) failures.push(`${response.status} ${await response.clone().text()}`);
        return response;
      };

      async function upload(worker: number): Promise<void> {
        for (let turn = 0; !signal.aborted; turn += 1) {
          // Members have a limited number of uploads.
          const userId = await addUploader(database, `uploader${worker}-${turn}`);
          const content = await makeMp3(0.3 + worker / 10);
          const { id } = await readSound(await sendSound(api, userId, { content, type }));
          done.uploads += 1;
          await nextTurn();
          if (turn % 2 === 1) continue;
          const headers = { authorization: `Bearer ${await api.logIn(userId)}` };
          await require(await api.app.request(`/api/sounds/${id}/`, { method: 'DELETE', headers }));
          done.deletions += 1;
        }
      }
      async function decide(): Promise<void> {
        const songs = await makeSongs();
        const deps = toReviewDeps(database, api, storage);
        for (let turn = 0; !signal.aborted; turn += 1) {
          const name = `applicant${turn}`;
          const userId = await createUser(database, { username: name, email: `${name}@example.test` });
          const texts = [
            { name: 'user_id', content: userId },
            { name: 'types', content: type },
          ];
          await require(await apply(api, userId, [...toFileParts(songs), ...texts]));
          const { id } = await getRow(database, 'quality_checks', { user_id: userId });
          if (turn % 2 === 0) await approveQualityCheck(deps, id, staffId);
          else await rejectQualityCheck(deps, id, staffId, '音が割れています');
          done.decisions += 1;
          await nextTurn();
        }
      }
      async function download(): Promise<void> {
        while (!signal.aborted) {
          if ((await createVisitor(api).download(sounds[0].id)) !== 200) failures.push('download');
          // Each download takes five seconds of the test's clock.
          api.clock.advance(Date.now() - api.clock.now());
          done.downloads += 1;
          // SQLite answers within the turn; the doctor reads files.
          await nextTurn();
        }
      }

      const work = Promise.all([upload(0), upload(1), decide(), download()]);
      const alarms: unknown[] = [];
      try {
        // Each run takes longer than the last one: the site grows meanwhile.
        for (let run = 0; run < depth(1, 12) || Math.min(...Object.values(done)) < 2; run += 1) {
          const { code, failed, findings } = await site.diagnose();
          if (code !== 0) alarms.push(failed, findings);
        }
      } finally {
        ending.abort();
        await work;
      }
      expect({ alarms, failures }).toEqual({ alarms: [], failures: [] });
      expect(await site.diagnose()).toMatchObject({ code: 0, failed: {} });
    },
    depth(60_000, 600_000),
  );
});
