import type { RenderPage } from './page-response.ts';

/** The export of the built pages, `dist/server/entry.mjs`. */
export type Render = (request: Request, env: object) => Promise<Response>;

/**
 * Calls the built pages. A new request is created from path and query only: no header, cookie or Host of a visitor
 * reaches a page, so every page is the same for everyone, and its links use `siteUrl`.
 */
export function toRenderPage(render: Render, env: App.PageEnv): RenderPage {
  return (target, requestId, recordDependency, parts) =>
    render(new Request(env.settings.siteUrl + target), { ...env, requestId, recordDependency, parts });
}
