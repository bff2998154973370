import type { Context } from 'hono';
import * as calls from '../../../contract/sounds/my-sounds.ts';
import { listSoundChanges } from '../../../contract/sounds/sound-changes.ts';
import { byMember } from '../../platform/http/access.ts';
import { formRoute, route, withDeps } from '../../platform/http/route.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireFile } from '../../platform/http/form.ts';
import { toFileName } from '../../platform/http/form-file-names.ts';
import type { ApiEnv, Caller, Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { describeDevice } from '../accounts/user-agents.ts';
import { findSound, findSounds } from '../catalogue/service.ts';
import { toWireSound } from '../catalogue/to-wire.ts';
import type { Feature } from '../feature.ts';
import { MY_SOUNDS_ERASURE } from './erasure.ts';
import { MY_SOUNDS_FILES } from './export.ts';
import { MY_SOUND_CHECKS } from './checks.ts';
import { deleteFormerValues } from './change-queries.ts';
import { changeSound, requireEditable } from './changes.ts';
import { startDecoding, startDecodingQueue } from './decoding.ts';
import { deleteOwnSound, eraseDeletedSounds } from './deletion.ts';
import { collectUnclaimedFiles } from './files.ts';
import { findText, findUploadId, parseChange, parseVersion } from './forms.ts';
import { listHistory } from './history.ts';
import { HISTORIES, SEVERAL_CHANGES, SOUND_CHANGES, UPLOADS } from './limits.ts';
import type { Changer } from './recording.ts';
import { changeSounds } from './several-changes.ts';
import { SOUND_UNDO } from './undo.ts';
import { requireUploader, uploadSound } from './upload.ts';
import { deleteExpiredUploads } from './uploads/leftovers.ts';
import { createUploadLocks } from './uploads/locks.ts';
import type { UploadLocks } from './uploads/locks.ts';
import { createSoundFromUpload } from './uploads/making.ts';
import { UPLOAD_HEADERS, UPLOAD_ROUTES, toUploadDeps, tusVersion } from './uploads/routes.ts';
import { UPLOAD_FILES } from './stored-files.ts';

/** Artists' own sounds, and uploads in parts. */
export const mySoundsFeature: Feature = {
  name: 'my sounds',
  apiTexts: () => import('./api-texts.ts'),
  erasure: MY_SOUNDS_ERASURE,
  exports: MY_SOUNDS_FILES,
  undo: [SOUND_UNDO],
  checks: MY_SOUND_CHECKS,
  files: UPLOAD_FILES,
  createModule() {
    const locks = createUploadLocks();
    return {
      routes: [
        ...withDeps((platform) => ({ ...platform, locks }), ROUTES),
        ...withDeps((platform) => toUploadDeps(platform, locks), UPLOAD_ROUTES),
      ],
      middleware: tusVersion,
      corsHeaders: UPLOAD_HEADERS,
      start: startDecodingQueue,
      scheduledJobs: (platform) => [
        { name: 'files without a sound', run: () => collectUnclaimedFiles(platform) },
        { name: 'former values of sounds', run: () => deleteFormerValues(platform) },
        { name: 'abandoned uploads', run: () => deleteExpiredUploads(platform) },
        {
          name: 'deleted sounds',
          // Thousands with their files take a while; the next scheduled jobs do not wait for it.
          run: async () => platform.backgroundJobs.start((ending) => eraseDeletedSounds(platform, ending)),
        },
      ],
    };
  },
};

type MySoundsDeps = Platform & { readonly locks: UploadLocks };

/** Calls for artists' own sounds. */
const ROUTES: readonly Route<MySoundsDeps>[] = [
  formRoute(
    calls.uploadSound,
    { caller: 'verified member', owner: 'own', limits: [byMember(UPLOADS)] },
    { admit: (deps, { id }, request) => requireUploader(deps, id, request) },
    async ({ caller, form }, deps) => {
      const artistId = caller.id;
      const type = findText(form, 'types') ?? '';
      const given = toFileName(findText(form, 'filename'));
      const uploadId = findUploadId(form);
      if (uploadId !== undefined) {
        const filename = given || 'sound';
        const soundId = await createSoundFromUpload(deps, { uploadId, artistId, type, filename });
        return toReply(deps, soundId, artistId);
      }
      const file = requireFile(form, 'file');
      const filename = given || file.filename || 'sound';
      const sound = await uploadSound(deps, { artistId, type, file, filename });
      return toReply(deps, sound.id, artistId).finally(() => startDecoding(deps, sound.seq, artistId));
    },
  ),

  formRoute(
    calls.updateSound,
    { caller: 'member not blocked', owner: 'own', limits: [byMember(SOUND_CHANGES)] },
    { admit: (deps, { id }, _, params) => requireEditable(deps, params['id'] ?? '', id) },
    async (call, deps) => {
      const { params, caller, form } = call;
      const thumbnail = form.files.has('thumbnail') ? requireFile(form, 'thumbnail') : undefined;
      const sound = { soundId: params.id, changer: toChanger(call), version: parseVersion(form) };
      await changeSound(deps, sound, parseChange(form), thumbnail);
      return toReply(deps, params.id, caller.id);
    },
  ),

  route(
    calls.updateSounds,
    { caller: 'member not blocked', owner: 'own', limits: [byMember(SEVERAL_CHANGES)] },
    async (call, deps) => {
      const { body, caller } = call;
      const { changedSeqs, refused } = await changeSounds(deps, toChanger(call), body.sounds);
      const found = await findSounds(deps.database, changedSeqs, caller.id);
      return { changed: found.map((sound) => toWireSound(sound, caller.id, deps.fileUrls)), refused };
    },
  ),

  route(
    listSoundChanges,
    { caller: 'member', owner: 'own', limits: [byMember(HISTORIES)] },
    async ({ params, caller }, deps) => ({ changes: await listHistory(deps, params.id, caller.id) }),
  ),

  route(
    calls.deleteSound,
    { caller: 'member', owner: 'own', limits: [byMember(SOUND_CHANGES)] },
    async (call, deps) => {
      await deleteOwnSound(deps, call.params.id, toChanger(call));
      return { detail: 'サウンドを削除しました。' };
    },
  ),
];

function toChanger({
  caller,
  context,
}: {
  readonly caller: Caller;
  readonly context: Context<ApiEnv>;
}): Changer {
  return { caller, device: describeDevice(context.req.header('user-agent')) };
}

async function toReply({ database, fileUrls }: Platform, soundId: string, artistId: string) {
  const sound = await findSound(database, soundId, artistId);
  if (sound === undefined) throw notFound();
  return { sound: toWireSound(sound, artistId, fileUrls) };
}
