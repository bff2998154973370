import { createApp } from 'astro/app/entrypoint';
import { setGetEnv } from 'astro/env/setup';

setGetEnv((name) => process.env[name]);
const app = createApp({ streaming: false });

/** Renders a page. Unknown addresses and pages that throw render the site's error page. */
export function render(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals });
}
