/// <reference types="astro/client" />
/// <reference types="google-publisher-tag" />

declare module 'virtual:early-script' {
  const script: string;
  export default script;
}

declare module 'virtual:early-islands' {
  const script: string;
  export default script;
}

declare namespace App {
  interface Locals {
    /** Set by the process that embeds the pages; absent if src/ is deployed alone. */
    fetchApi?: typeof fetch;
    settings?: import('./lib/public-settings.ts').PublicSettings;
    requestId?: string;
    /** Cache between pages for replies that are the same for every page. */
    replies: Map<string, unknown>;
    /** Called with each tag (contract/page-tags.ts) that the page depends on; absent without a page cache. */
    noteDependency?: (tag: string) => void;
    /** Called with the error of a page that failed to render; without an embedding process, the console is used. */
    reportError?: (error: unknown) => void;
    /** Called with unusable parts of API replies; without an embedding process, the console is used. */
    warn?: (message: string) => void;
    /** The error that the error page describes. */
    error?: unknown;
    /** The API, for pages. */
    api: import('./api/client.ts').Api;
    /** Requests an optional part of a page. */
    orAbsent: import('./lib/optional.ts').OrAbsent;
    /** The data of the shell around every page. */
    shell: import('./lib/shell.ts').Shell;
  }
}
