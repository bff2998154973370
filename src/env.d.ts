/// <reference types="astro/client" />
/// <reference types="google-publisher-tag" />

/** A file of src/scripts as a classic script. */
declare module 'virtual:inline/*' {
  const script: string;
  export default script;
}

declare namespace App {
  /** What every page gets from the process or the edge entry that renders it. */
  interface PageEnv {
    readonly settings: import('./render/public-settings.ts').PublicSettings;
    /**
     * A direct call into the API; without it, pages call `settings.apiOrigin`. A reply may have its value as `_data`, as
     * ofetch names it, instead of a body.
     */
    readonly fetchApi?: ((...args: Parameters<typeof fetch>) => Promise<App.ApiResponse>) | undefined;
    /** Replies that many pages need (src/render/remembering.ts). The owner clears it after a change. */
    readonly replies: Map<string, unknown>;
    /** Called with the error of a page that failed to render. */
    readonly reportError: (error: unknown, requestId: string) => void;
    /** Called with unusable parts of API replies. */
    readonly warn: (message: string) => void;
  }
  interface ApiResponse extends Response {
    readonly _data?: unknown;
  }
  interface Locals extends PageEnv {
    readonly requestId: string;
    /** Called with each tag (contract/site/page-tags.ts) that the page depends on. */
    readonly recordDependency: (tag: string) => void;
    /** The prepared parts of the page (`contract/site/page-parts.ts`); undefined in development. */
    readonly parts?: import('../contract/site/page-parts.ts').PageParts;
    /** The error that the error page describes. */
    error?: unknown;
    /** The API, for pages. */
    api: import('./api/client.ts').Api;
    /** Requests an optional part of a page. */
    orAbsent: import('./render/optional.ts').OrAbsent;
    /** The data of the shell around every page. */
    shell: import('./render/shell.ts').Shell;
  }
}
