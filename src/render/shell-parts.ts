import announcements from 'virtual:inline/announcements';
import early from 'virtual:inline/early';
import earlyIslands from 'virtual:inline/early-islands';
import { toFirstIcons } from '../lib/icons.ts';
import siteStyles from '../styles/site.css?inline';
import { toPart } from '../../contract/site/page-parts.ts';

/**
 * What the shell of every page contains. The styles are a separate element: the router keeps it and replaces only the
 * page's own styles.
 */
export const shellParts = {
  early: toPart(early),
  earlyIslands: toPart(earlyIslands),
  announcements: toPart(announcements),
  styles: toPart(siteStyles),
  icons: toPart(toFirstIcons()),
};

const digest = await crypto.subtle.digest('SHA-256', shellParts.styles);

/** The styles, for the content security policy. */
export const siteStylesHash = `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}` as const;
