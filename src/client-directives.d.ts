import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Leaves loading to `src/scripts/shell/islands.ts`: at once, when someone turns to the island, or when a sound plays. */
    'client:when'?: import('./browser/early.ts').When;
  }
}
