/** Defines the element of islands. Astro would inline it in every page with an island (decision 142). */
import 'astro/runtime/server/astro-island.js';
