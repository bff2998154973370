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
    /** Set by the process that embeds the pages; absent where src/ is deployed alone. */
    fetchApi?: typeof fetch;
    settings?: import('./lib/public-settings.ts').PublicSettings;
    requestId?: string;
    /** Cache between pages for replies that are the same for every page. */
    replies?: Map<string, unknown>;
    /** Receives what the page depends on (contract/page-tags.ts); absent without a page cache. */
    noteDependency?: (tag: string) => void;
    /** Receives why a page could not be rendered; the console without an embedding process. */
    reportError?: (error: unknown) => void;
    /** Receives what the API host sent that a page had to leave out; the console without an embedding process. */
    warn?: (message: string) => void;
    /** What the error page is about. */
    error?: unknown;
    /** The API, for pages. */
    api: import('./api/client.ts').Api;
    /** Asks for a part that a page can do without. */
    orAbsent: import('./lib/optional.ts').OrAbsent;
    /** What the shell around every page shows. */
    shell: import('./lib/shell.ts').Shell;
  }
}
