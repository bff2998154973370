/** Too many are waiting for something that can only be done a few at a time; a little later it works. */
export class Busy extends Error {
  override readonly name = 'Busy';

  constructor() {
    super('too many are waiting');
  }
}
