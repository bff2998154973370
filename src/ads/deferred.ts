/** A promise settled from outside; browsers of 2023 lack `Promise.withResolvers`. */
export function createDeferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
