import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates on the first press on play, see `src/scripts/client-play.ts`. */
    'client:play'?: boolean;
    /** Hydrates when someone turns to the island, see `src/scripts/client-intent.ts`. */
    'client:intent'?: boolean;
  }
}
