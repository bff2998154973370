import siteStyles from '../styles/site.css?inline';

const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(siteStyles));

/** The styles of every page, in a separate element: the router keeps it and replaces only the page's own styles. */
export { siteStyles };

/** For the content security policy. */
export const siteStylesHash = `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}` as const;
