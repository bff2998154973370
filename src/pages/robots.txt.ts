import type { APIRoute } from 'astro';

export const GET: APIRoute = ({ locals }) =>
  new Response(
    [
      'User-agent: *',
      'Disallow: /api/',
      'Disallow: /media/downloads/',
      `Sitemap: ${locals.shell.settings.siteUrl}/sitemap.xml`,
      '',
    ].join('\n'),
    { headers: { 'content-type': 'text/plain; charset=utf-8' } },
  );
