import type { ApiDocument } from './document.ts';

type Components = ApiDocument['components'];

/** What a reference of the document names; any other value as it is. */
export function resolve<Value extends object>(
  value: Value | { readonly $ref: string },
  components: Components,
) {
  if (!('$ref' in value)) return value;
  const [name = '', kind = ''] = String(value.$ref).split('/').toReversed();
  return (components[kind as keyof Components] as Readonly<Record<string, object>>)[name] as Value;
}
