/**
 * Pages replace one another without view transitions: those would freeze the screen for a snapshot, and reject when one
 * navigation overtakes another (decision 016). The router looks for the function when it loads.
 */
export function turnOffViewTransitions(): void {
  Reflect.set(document, 'startViewTransition', undefined);
}
