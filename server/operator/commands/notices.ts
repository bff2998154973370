import { join } from 'node:path';
import {
  LIST_NAME,
  importNotices,
  readNoticeFolder,
  selectListed,
  toNotice,
} from '../../features/notices/notices.ts';
import { toColumns } from '../columns.ts';
import type { Command } from '../command.ts';
import { Refusal } from '../refusals.ts';

export const notices: Readonly<Record<string, Command>> = {
  list: {
    reads: true,
    about: 'list the notices before downloads in their order',
    takesJson: true,
    async run({ context, isJson, print }) {
      const rows = await selectListed(context.database.db);
      const found = rows.map((row) => ({ ...toNotice(row), from: row.shown_from, until: row.shown_until }));
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('There are no notices.');
      print(
        toColumns(
          ['ID', 'KIND', 'SECONDS', 'FROM', 'UNTIL', 'LINK', 'TEXT'],
          found.map((each) => [
            each.id,
            each.kind,
            String(each.seconds),
            each.from,
            each.until,
            each.link ?? '',
            each.text,
          ]),
        ),
      );
    },
  },
  import: {
    target: 'FOLDER',
    about: `add the notices of FOLDER/${LIST_NAME} that are not listed yet; nothing is added if one is invalid`,
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      const found = await readNoticeFolder(target);
      if (found === undefined) throw new Refusal(`there is no ${join(target, LIST_NAME)}`);
      for (const problem of found.problems) print(problem);
      if (found.problems.length > 0) throw new Refusal('nothing was imported');
      const added = await importNotices(context, found.notices, staff.id);
      print(`Imported: ${added}. Already listed: ${found.notices.length - added}.`);
    },
  },
};
