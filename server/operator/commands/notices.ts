import { selectListed, toNotice } from '../../features/notices/notices.ts';
import { toColumns } from '../columns.ts';
import type { Command } from '../command.ts';

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
};
