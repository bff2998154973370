import type { APIRoute } from 'astro';
import { PAPER_COLORS } from '../render/paper-colors.ts';

/** The site as an application on a home screen (W3C Web Application Manifest). */
export const GET: APIRoute = ({ locals }) => {
  const { siteName } = locals.shell.settings;
  const manifest = {
    name: siteName,
    short_name: siteName,
    lang: 'ja',
    start_url: '/',
    display: 'minimal-ui',
    background_color: PAPER_COLORS.light,
    theme_color: PAPER_COLORS.light,
    icons: [192, 512].map((side) => ({
      src: `/icon-${side}.png`,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json; charset=utf-8' },
  });
};
