import siteStyles from '../styles/site.css?inline';

const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(siteStyles));

/**
 * What every page carries, in an element of its own: the router leaves that in place and replaces only the styles of
 * the page.
 */
export { siteStyles };

/** For the content security policy. */
export const siteStylesHash = `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}` as const;
