import { withDeps } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import type { ProfileOptions } from './options.ts';
import { PROFILE_ROUTES } from './routes.ts';

/** What members see and change of their own profile. */
export function createProfileModule(options: ProfileOptions): Module {
  return {
    name: 'profile',
    routes: withDeps((platform) => ({ ...platform, ...options }), PROFILE_ROUTES),
  };
}
