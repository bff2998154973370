import announcements from 'virtual:inline/announcements';
import early from 'virtual:inline/early';
import earlyIslands from 'virtual:inline/early-islands';
import { toFirstIcons } from '../lib/icons.ts';
import artist from '../styles/sheets/artist.css?inline';
import catalogue from '../styles/sheets/catalogue.css?inline';
import members from '../styles/sheets/members.css?inline';
import publicPages from '../styles/sheets/public.css?inline';
import staff from '../styles/sheets/staff.css?inline';
import text from '../styles/sheets/text.css?inline';
import { toPart } from '../../contract/site/page-parts.ts';

/** What the shell of every page contains. */
export const shellParts = {
  early: toPart(early),
  earlyIslands: toPart(earlyIslands),
  announcements: toPart(announcements),
  icons: toPart(toFirstIcons()),
};

/** The style sheets by kind of page (decision 077). */
export const sheets = {
  catalogue: toPart(catalogue),
  artist: toPart(artist),
  public: toPart(publicPages),
  members: toPart(members),
  staff: toPart(staff),
  text: toPart(text),
};
export type SheetName = keyof typeof sheets;

/** The sheet of a page that does not name one: that of the folder in `src/pages`. */
export function findSheetName(routePattern: string): SheetName {
  const [, folder] = routePattern.split('/');
  if (folder === 'operator') return 'staff';
  return folder === 'profile' ? 'members' : 'public';
}

/**
 * All sheets, for the policy of every page: the router brings that of the next page into a document that keeps the policy
 * of the first.
 */
export const sheetHashes = await Promise.all(
  Object.values(sheets).map(async (sheet) => {
    const digest = await crypto.subtle.digest('SHA-256', sheet);
    return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}` as const;
  }),
);
