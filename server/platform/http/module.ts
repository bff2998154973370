import type { MiddlewareHandler } from 'hono';
import type { Chore } from '../concurrency/concurrency.ts';
import type { Access } from './access.ts';
import type { Api, ApiEnv, Platform } from './context.ts';

/**
 * What a feature adds to the server. It is made from what this feature alone needs, and gets the platform when it is
 * mounted: its declarations can be read without a database.
 */
export interface Module {
  /** For messages. */
  readonly name: string;
  /** Every route that `serve` adds: who may call it, what of members it shows or changes, and its limits. */
  readonly access: readonly Access[];
  /** Adds the routes. Of two that match the same path, the first one answers. */
  serve?(api: Api): void;
  /** Runs for every call of the API, before its caller is identified. */
  readonly middleware?: MiddlewareHandler<ApiEnv>;
  /** Lower-case names of headers that a web client on another origin sends and reads, beside those of every call. */
  readonly corsHeaders?: { readonly sent: readonly string[]; readonly answered: readonly string[] };
  /** What is done at the start and once an hour, in this order. */
  chores?(platform: Platform): readonly Chore[];
  /** Begins what goes on while the server serves; returns what ends it. Called once at most. */
  start?(platform: Platform): () => void;
}

/** What is done at the start and once an hour: the chores of the platform, then those of the modules in their order. */
export function listChores(platform: Platform, modules: readonly Module[]): readonly Chore[] {
  const { database, storage } = platform;
  return [
    { name: 'half-written files', run: () => storage.sweep() },
    { name: 'overwritten data', run: async () => void database.dropOverwritten() },
    ...modules.flatMap((module) => module.chores?.(platform) ?? []),
  ];
}
