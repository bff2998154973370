import type { APIRoute } from 'astro';
import { toSecurityText } from '../../render/security-text.ts';

/** Whom to tell of a fault of the site's security (RFC 9116). */
export const GET: APIRoute = ({ locals }) => {
  const { settings, config } = locals.shell;
  const text = toSecurityText(settings, { hasContactPage: config.is_extended, now: new Date() });
  return new Response(text ?? 'Not Found\n', {
    status: text === null ? 404 : 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
};
