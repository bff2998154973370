import { listCopies } from '../../features/my-sounds/my-sounds.ts';
import { toColumns, toTime } from '../columns.ts';
import type { Command } from '../command.ts';

export const copies: Readonly<Record<string, Command>> = {
  list: {
    reads: true,
    about: 'uploads of a file that another artist had uploaded before, the newest first',
    takesJson: true,
    async run({ context, isJson, print }) {
      const found = await listCopies(context.database.db);
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('No file has come from two artists.');
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
