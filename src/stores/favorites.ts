import { navigate } from 'astro:transitions/client';
import { loginPath } from '../lib/paths.ts';

/** A visitor's press on a heart leads to log-in, and back to where they were (spec §6). */
export function toggleFavorite(): void {
  void navigate(loginPath(location.pathname + location.search));
}
