/** The queue of a concurrency-limited operation is full; a retry a little later works. */
export class Busy extends Error {
  override readonly name = 'Busy';

  constructor() {
    super('too many are waiting');
  }
}
