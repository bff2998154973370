import { listCopies } from '../../features/my-sounds/copies.ts';
import type { Commands } from '../command.ts';
import { printReply } from '../replies.ts';

export const copies: Commands = {
  list: {
    reads: true,
    about: "list uploads with the same content as another artist's earlier sound, newest first",
    takesJson: true,
    run: async (call) => printReply(call, await listCopies(call.context.database.db)),
  },
};
