/** Messages between the tabs of this site. */
export interface Channel<Message> {
  post(message: Message): void;
  listen(onMessage: (message: Message) => void): void;
}

/**
 * Opens a channel to the other tabs. A browser may deny it, as Firefox does where it blocks the data of a site: then this
 * tab gets no messages. The linter allows `BroadcastChannel` in this file only.
 */
export function openChannel<Message>(name: string): Channel<Message> {
  let channel: BroadcastChannel | undefined;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    // Denied, or unknown to this browser.
  }
  return {
    post: (message) => channel?.postMessage(message),
    listen: (onMessage) =>
      channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data)),
  };
}
