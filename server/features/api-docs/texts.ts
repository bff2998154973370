import type { Feature } from '../feature.ts';
import type { ApiTexts } from './call-text.ts';
import type { Component } from './field.ts';

/** The texts of the features that have some, by feature. */
export type TextsByFeature = ReadonlyMap<string, ApiTexts>;

/** Loads what the features say about their calls, in the order of the page. */
export async function loadTexts(
  features: readonly Pick<Feature, 'name' | 'apiTexts'>[],
): Promise<TextsByFeature> {
  const loaded = await Promise.all(
    features.map(async ({ name, apiTexts }) => [name, (await apiTexts?.())?.API_TEXTS] as const),
  );
  const given = loaded.flatMap(([name, texts]) => (texts === undefined ? [] : [[name, texts] as const]));
  return new Map(given.toSorted(([, one], [, other]) => one.area.position - other.area.position));
}

/** All components, in the order of their names. Throws if two have the same name. */
export function mergeComponents(texts: TextsByFeature): Readonly<Record<string, Component>> {
  const named = [...texts.values()]
    .flatMap(({ components = {} }) => Object.entries(components))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const merged = new Map<string, Component>();
  for (const [name, component] of named) {
    if (merged.has(name)) throw new Error(`two components have the name ${name}`);
    merged.set(name, component);
  }
  return Object.fromEntries(merged);
}
