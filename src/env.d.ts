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
    /** Given by the process that embeds the pages; absent where src/ is deployed alone. */
    fetchApi?: typeof fetch;
    settings?: import('./lib/public-settings.ts').PublicSettings;
    requestId?: string;
    /** Where replies that are the same for every page are kept between pages. */
    replies?: Map<string, unknown>;
    /** Takes what the page depends on (contract/page-tags.ts); absent where nobody caches pages. */
    noteDependency?: (tag: string) => void;
    /** Takes what a page could not be rendered for; the console where there is no process around. */
    reportError?: (error: unknown) => void;
    /** Takes what the API host sent that a page had to do without; the console where there is no process around. */
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
