const currents = new WeakMap<object, () => object>();

/** An object that stands for the current one: a constant of a block for what is made again before each of its tests. */
export function delegate<Value extends object>(current: () => Value): Value {
  const standing = new Proxy({} as Value, {
    get: (_, key) => Reflect.get(current(), key) as unknown,
    set: (_, key, value) => Reflect.set(current(), key, value),
    has: (_, key) => Reflect.has(current(), key),
    // For copies: `{ ...storage, put }`.
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(current(), key),
  });
  currents.set(standing, current);
  return standing;
}

/** What such an object stands for now, for work that may outlive its test. Returns any other object as it is. */
export function resolve<Value extends object>(value: Value): Value {
  return (currents.get(value)?.() as Value | undefined) ?? value;
}
