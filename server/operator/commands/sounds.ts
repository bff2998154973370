import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { findSoundForStaff, selectSoundsForStaff } from '../../features/takedowns/queries.ts';
import { deleteSoundAsStaff, hideSound, unhideSound } from '../../features/takedowns/sounds.ts';
import type { ModeratedSound } from '../../features/takedowns/queries.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { countUndecoded } from '../../features/my-sounds/decoding-queries.ts';
import { toColumns, toFacts, toTime } from '../columns.ts';
import { REASON, reportMail } from '../command.ts';
import type { CommandCall, Commands } from '../command.ts';
import { getArtistId } from '../members.ts';
import { Refusal } from '../refusals.ts';
import { LISTED_MAX } from '../../features/staff/rules.ts';

export const sounds: Commands = {
  list: {
    reads: true,
    needs: { artist: 'NAME' },
    about: 'list the sounds of an artist, also private and hidden ones, newest first',
    takesJson: true,
    async run({ context, options, isJson, print }) {
      const artistId = await getArtistId(context, options['artist'] ?? '');
      const found = await selectSoundsForStaff(context.database.db, artistId);
      if (isJson) return print(JSON.stringify(found.map(toPrintable), null, 2));
      if (found.length === 0) return print('The artist has no sounds.');
      print(
        toColumns(
          ['ID', 'SINCE', 'TYPE', 'STATE', 'DOWNLOADS', 'TITLE'],
          found.map((each) => [
            each.id,
            toTime(each.created_at),
            each.type,
            toState(each),
            each.download_count.toLocaleString('en'),
            each.title || UNTITLED,
          ]),
        ),
      );
      if (found.length === LISTED_MAX) print(`The list is limited to ${LISTED_MAX} rows.`);
    },
  },
  show: {
    reads: true,
    target: 'ID',
    about: 'show a sound, and why it is hidden',
    takesJson: true,
    async run(call) {
      const { context, isJson, print } = call;
      const sound = await getSound(call);
      if (isJson) return print(JSON.stringify(toPrintable(sound), null, 2));
      print(
        toFacts({
          ID: sound.id,
          Title: sound.title || UNTITLED,
          Artist: `${sound.artist} <${sound.artist_email}>`,
          Type: sound.type,
          File: `${sound.filename} (${sound.audio_mime})`,
          Description: sound.description,
          Since: toTime(sound.created_at),
          State: toState(sound),
          ...(sound.hidden_reason !== null && { Reason: sound.hidden_reason }),
          ...(sound.suspension_reason !== null && { 'Artist suspended': sound.suspension_reason }),
          Downloads: sound.download_count.toLocaleString('en'),
          Favorites: sound.favorite_count.toLocaleString('en'),
          Page: `${context.siteUrl}/sounds/${sound.id}`,
        }),
      );
    },
  },
  decoding: {
    reads: true,
    about: 'show how many sounds still have to be decoded (waveform, loudness, true peak, tempo, key)',
    takesJson: true,
    async run({ context, isJson, print }) {
      const counts = await countUndecoded(context.database.db);
      if (isJson) return print(JSON.stringify(counts, null, 2));
      print(toFacts({ Waiting: String(counts.waiting), 'Given up': String(counts.failed) }));
    },
  },
  hide: {
    target: 'ID',
    needs: REASON,
    about: 'hide a sound from everyone but its artist, who sees the reason',
    async run(call) {
      const staff = await call.requireStaff();
      const sound = await getSound(call);
      if (!(await hideSound(call.context, sound.id, staff.id, call.options['reason'] ?? ''))) {
        throw new Refusal(`${sound.id} is already hidden`);
      }
      call.print(`Hidden: ${sound.id}.`);
      reportMail(call, sound.artist_email);
    },
  },
  unhide: {
    target: 'ID',
    about: 'unhide a sound; a private one stays private',
    async run(call) {
      const staff = await call.requireStaff();
      const sound = await getSound(call);
      if (!(await unhideSound(call.context, sound.id, staff.id))) {
        throw new Refusal(`${sound.id} is not hidden`);
      }
      call.print(`No longer hidden: ${sound.id}.`);
      reportMail(call, sound.artist_email);
    },
  },
  delete: {
    target: 'ID',
    needs: REASON,
    about: 'delete a sound and its file permanently; the artist sees the reason',
    async run(call) {
      const staff = await call.requireStaff();
      const sound = await getSound(call);
      await deleteSoundAsStaff(call.context, sound.id, staff.id, call.options['reason'] ?? '');
      call.print(`Deleted: ${sound.id}.`);
      reportMail(call, sound.artist_email);
    },
  },
};

async function getSound({ context, target }: CommandCall): Promise<ModeratedSound> {
  const sound = isId(target) ? await findSoundForStaff(context.database.db, target) : undefined;
  if (sound === undefined) throw new Refusal(`${target}: no sound has this id`);
  return sound;
}

function toState({ state }: ModeratedSound): string {
  if (state === 'deleted') return 'deleted by its artist';
  return state === 'withheld' ? 'artist suspended' : state;
}

/** Without fields that only the server needs. */
function toPrintable(sound: ModeratedSound) {
  return { ...sound, seq: undefined, audio_key: undefined, thumbnail_key: undefined };
}
