import { FetchState, astro } from 'astro/fetch';

/**
 * Renders a page, on any runtime with `fetch`. Unknown addresses and pages that throw render the site's error page.
 * `env` holds the settings and functions of the process, and what belongs to this request (`toRenderPage`).
 */
export async function render(request: Request, env: object): Promise<Response> {
  const state = new FetchState(request);
  // Otherwise the page would still be rendered while its body is read.
  state.streaming = false;
  Object.assign(state.locals, env);
  const response = await astro(state);
  for (const object of [state.result, state.locals, state]) release(object);
  return response;
}

/** Empties what Astro keeps for a rendered page, so that V8 can free the page with its data at once (decision 161). */
function release(object: object = {}): void {
  for (const key of Object.keys(object)) Reflect.set(object, key, undefined);
}
