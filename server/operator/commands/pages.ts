import { PAGE_BODY_BYTES_MAX, PAGE_TITLE_LENGTH_MAX } from '../../../contract/operator-pages.ts';
import { cleanMarkdown } from '../../../contract/texts.ts';
import { changePage, findPageRow, isPageSlug, removePage, selectPages } from '../../features/site/site.ts';
import { toColumns, toTime } from '../columns.ts';
import type { Command } from '../command.ts';
import { readInput, toOrder, toName } from '../inputs.ts';
import { Refusal, UsageError } from '../refusals.ts';

export const pages: Readonly<Record<string, Command>> = {
  list: {
    about: 'list extra pages in footer order',
    reads: true,
    takesJson: true,
    async run({ context, isJson, print }) {
      const found = await selectPages(context.database.db);
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('There are no extra pages.');
      print(
        toColumns(
          ['SLUG', 'ORDER', 'FOOTER', 'CHANGED', 'TITLE'],
          found.map((each) => [
            each.slug,
            String(each.order),
            each.is_listed === 1 ? 'yes' : 'no',
            toTime(each.updated_at),
            each.title,
          ]),
        ),
      );
    },
  },
  show: {
    reads: true,
    target: 'SLUG',
    about: 'print the Markdown of a page',
    async run({ context, target, print }) {
      const page = isPageSlug(target) ? await findPageRow(context.database.db, target) : undefined;
      if (page === undefined) throw new Refusal(`${target}: no page has this slug`);
      print(page.body);
    },
  },
  save: {
    target: 'SLUG',
    takes: ['file', 'title', 'order'],
    about: 'create the page /content/SLUG from a Markdown file, or change its text, title or order',
    async run({ context, target, chosen, requireStaff, print }) {
      if (!isPageSlug(target)) {
        throw new UsageError(
          `${target}: a slug consists of a to z, 0 to 9 and inner hyphens, at most 100 characters`,
        );
      }
      const title = toName('title', chosen.title, PAGE_TITLE_LENGTH_MAX);
      const order = toOrder(chosen.order);
      if (title === undefined && order === undefined && chosen.file === undefined) {
        throw new UsageError('pages save needs --file, --title or --order');
      }
      const staff = await requireStaff();
      const body = chosen.file === undefined ? undefined : await readText(chosen.file);
      if (!(await changePage(context, staff.id, target, { body, title, order }))) {
        throw new UsageError(`${target} is new: pages save needs --file and --title`);
      }
      print(`Saved: /content/${target}. The running server shows it within five seconds.`);
    },
  },
  remove: {
    target: 'SLUG',
    about: 'delete a page; the default text, if any, is shown again',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      await removePage(context, staff.id, target);
      print(`Removed: /content/${target}.`);
    },
  },
};

async function readText(file: string): Promise<string> {
  const bytes = await readInput(file, PAGE_BODY_BYTES_MAX);
  try {
    return cleanMarkdown(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(`${file} is not UTF-8 text`);
  }
}
