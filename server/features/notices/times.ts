/** How long the operator's own notices have to be watched; the web host knows them. */
export interface NoticeTimes {
  /** Seconds; undefined: there is no notice of this id. */
  findSeconds(id: string): number | undefined;
}
