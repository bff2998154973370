import { listCopies } from '../../features/my-sounds/my-sounds.ts';
import { toColumns, toTime } from '../columns.ts';
import type { Commands } from '../command.ts';

export const copies: Commands = {
  list: {
    reads: true,
    about: "list uploads with the same content as another artist's earlier sound, newest first",
    takesJson: true,
    async run({ context, isJson, print }) {
      const found = await listCopies(context.database.db);
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('There are no duplicate uploads.');
      print(
        toColumns(
          ['WHEN', 'SOUND', 'TITLE', 'BY', 'EARLIER', 'TITLE', 'BY'],
          found.map((copy) => [
            toTime(copy.noted_at),
            copy.sound_id,
            toTitle(copy.title),
            copy.artist ?? '',
            copy.original_id,
            toTitle(copy.original_title),
            copy.original_artist ?? '',
          ]),
        ),
      );
    },
  },
};

function toTitle(title: string | null): string {
  return title === null ? '(deleted)' : title || 'Untitled';
}
