import { deleteSound, updateSound, uploadSound as uploadSoundCall } from '../../../contract/own-sounds.ts';
import type { Api } from '../../http/context.ts';
import { requireFile } from '../../http/form.ts';
import { toFileName } from '../../http/form-file-names.ts';
import { serveForm } from '../../http/form-serve.ts';
import { notFound } from '../../http/problem.ts';
import { requireMember, serve } from '../../http/serve.ts';
import { changeSound, requireEditable } from './changes.ts';
import { deleteOwnSound } from './deletion.ts';
import { findText, parseChange } from './own-forms.ts';
import { SOUND_CHANGES, UPLOADS } from './own-limits.ts';
import { readWaveform } from './own-waveforms.ts';
import { findSound } from './service.ts';
import { toWireSound } from './to-wire.ts';
import { requireUploader, uploadSound } from './upload.ts';

/** What artists do with sounds of their own. */
export function serveOwnSounds(api: Api): void {
  const { deps } = api;
  const { database, fileUrls, rateLimits } = deps;

  async function toReply(soundId: string, artistId: string) {
    const sound = await findSound(database, soundId, artistId);
    if (sound === undefined) throw notFound();
    return { sound: toWireSound(sound, artistId, fileUrls) };
  }

  const uploadRules = {
    limit: UPLOADS,
    admit: ({ id }: { readonly id: string }) => requireUploader(deps, id),
  };
  serveForm(api, uploadSoundCall, uploadRules, async ({ caller, form }) => {
    const file = requireFile(form, 'file');
    const filename = toFileName(findText(form, 'filename')) || file.filename || 'sound';
    const type = findText(form, 'types') ?? '';
    const sound = await uploadSound(deps, { artistId: caller.id, type, file, filename });
    void readWaveform(deps, sound);
    return toReply(sound.id, caller.id);
  });

  serveForm(api, updateSound, { limit: SOUND_CHANGES }, async ({ params, caller, form }) => {
    await requireEditable(deps, params.id, caller.id);
    const thumbnail = form.files.has('thumbnail') ? requireFile(form, 'thumbnail') : undefined;
    const sound = { soundId: params.id, artistId: caller.id };
    await changeSound(deps, sound, parseChange(form), thumbnail);
    return toReply(params.id, caller.id);
  });

  serve(api, deleteSound, async ({ params, caller }) => {
    const { id } = requireMember({ caller });
    await rateLimits.take(SOUND_CHANGES, id);
    await deleteOwnSound(deps, params.id, id);
    return { detail: 'サウンドを削除しました。' };
  });
}
