import { deleteSound, updateSound, uploadSound as uploadSoundCall } from '../../../contract/my-sounds.ts';
import {
  notFound,
  requireFile,
  requireMember,
  serve,
  serveForm,
  toFileName,
} from '../../platform/http/http.ts';
import type { Api, FormRules } from '../../platform/http/http.ts';
import { describeDevice } from '../accounts/accounts.ts';
import { createSoundFromUpload } from './uploads/making.ts';
import type { UploadLocks } from './uploads/locks.ts';
import { changeSound, requireEditable } from './changes.ts';
import type { ChangeOptions } from './changes.ts';
import { deleteOwnSound } from './deletion.ts';
import { findText, findUploadId, parseChange } from './forms.ts';
import { startReading } from './waveforms.ts';
import { findSound, toWireSound } from '../catalogue/catalogue.ts';
import { requireUploader, uploadSound } from './upload.ts';

/** Calls for artists' own sounds. */
export function serveMySounds(api: Api, locks: UploadLocks, options: ChangeOptions): void {
  const deps = { ...api.platform, ...options, locks };
  const { database, fileUrls } = deps;

  async function toReply(soundId: string, artistId: string) {
    const sound = await findSound(database, soundId, artistId);
    if (sound === undefined) throw notFound();
    return { sound: toWireSound(sound, artistId, fileUrls) };
  }

  const uploadRules = {
    admit: ({ id }: { readonly id: string }, request: Request) => requireUploader(deps, id, request),
  };
  serveForm(api, uploadSoundCall, uploadRules, async ({ caller, form }) => {
    const artistId = caller.id;
    const type = findText(form, 'types') ?? '';
    const given = toFileName(findText(form, 'filename'));
    const uploadId = findUploadId(form);
    if (uploadId !== undefined) {
      const filename = given || 'sound';
      const soundId = await createSoundFromUpload(deps, { uploadId, artistId, type, filename });
      return toReply(soundId, artistId);
    }
    const file = requireFile(form, 'file');
    const filename = given || file.filename || 'sound';
    const sound = await uploadSound(deps, { artistId, type, file, filename });
    return toReply(sound.id, artistId).finally(() => startReading(deps, sound));
  });

  const changeRules: FormRules = {
    admit: ({ id }, _, params) => requireEditable(deps, params['id'] ?? '', id),
  };
  serveForm(api, updateSound, changeRules, async ({ params, caller, form }) => {
    const thumbnail = form.files.has('thumbnail') ? requireFile(form, 'thumbnail') : undefined;
    const sound = { soundId: params.id, artistId: caller.id };
    await changeSound(deps, sound, parseChange(form), thumbnail);
    return toReply(params.id, caller.id);
  });

  serve(api, deleteSound, async ({ params, caller, context }) => {
    const device = describeDevice(context.req.header('user-agent'));
    await deleteOwnSound(deps, params.id, requireMember({ caller }), device);
    return { detail: 'サウンドを削除しました。' };
  });
}
