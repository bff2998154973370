import type { APIRoute } from 'astro';

/** Where password managers send their users (W3C, "A Well-Known URL for Changing Passwords"): a link is mailed there. */
export const GET: APIRoute = ({ redirect }) => redirect('/forgot-password');
