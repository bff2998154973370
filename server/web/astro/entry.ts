import { createApp } from 'astro/app/entrypoint';

const app = createApp({ streaming: false });

/**
 * Renders a page, on any runtime with `fetch`. Unknown addresses and pages that throw render the site's error page.
 * `env` holds the settings and functions of the process, and what belongs to this request (`toRenderPage`).
 */
export function render(request: Request, env: object): Promise<Response> {
  return app.render(request, { locals: env });
}
