import {
  addSynonyms,
  removeSynonyms,
  selectOwnSynonyms,
} from '../../features/catalogue/search/own-synonyms.ts';
import type { Commands } from '../command.ts';
import { printReply } from '../replies.ts';

/** Words that search finds for one another, besides those of the program. */
export const synonyms: Commands = {
  list: {
    reads: true,
    about: 'list the groups of words that you have added',
    takesJson: true,
    run: async (call) => printReply(call, await selectOwnSynonyms(call.context.database)),
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
