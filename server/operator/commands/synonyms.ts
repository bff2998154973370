import { addSynonyms, removeSynonyms, selectOwnSynonyms } from '../../features/catalogue/catalogue.ts';
import { toColumns } from '../columns.ts';
import type { Commands } from '../command.ts';

/** Words that search finds for one another, besides those of the program. */
export const synonyms: Commands = {
  list: {
    reads: true,
    about: 'list the groups of words that you have added',
    takesJson: true,
    async run({ context, isJson, print }) {
      const found = await selectOwnSynonyms(context.database);
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('You have added no synonyms.');
      print(
        toColumns(
          ['ID', 'WORDS'],
          found.map(({ id, words }) => [id, words]),
        ),
      );
    },
  },
  add: {
    target: 'NAME',
    about: 'let search find words for one another, such as "喫茶店, カフェ, cafe"',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      print(`Added: ${await addSynonyms(context, staff.id, target)}.`);
    },
  },
  remove: {
    target: 'ID',
    about: 'remove a group of words that you have added',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      await removeSynonyms(context, staff.id, target);
      print(`Removed: ${target}.`);
    },
  },
};
