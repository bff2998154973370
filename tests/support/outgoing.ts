/** Sees every address to which this process connects or which it looks up. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Socket, isIP } from 'node:net';

/** What happens to a destination that is not this machine: an address to connect to in its place, or a refusal. */
export type Steer = (destination: string) => 'refuse' | 'here';

const HERE = '127.0.0.1';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|0\.0\.0\.0|::)$/i;

type Connect = (this: Socket, ...args: unknown[]) => Socket;
type Callback = (error: Error | null, address?: unknown, family?: number) => void;

/**
 * From now on, connections and look-ups of other names than this machine's go through `steer`, which gets `name:port` or
 * `name`. Everything in Node connects by `Socket`, also `fetch` and TLS; datagrams are refused altogether.
 */
export function steerOutgoing(steer: Steer): void {
  const connect = Reflect.get(Socket.prototype, 'connect') as Connect;
  const steered: Connect = function (this: Socket, ...args) {
    const { options, done } = readArguments(args);
    const { host = 'localhost', port } = options;
    if (options.path || LOOPBACK.test(host)) return connect.apply(this, args);
    if (steer(`${host}:${port}`) === 'here') return connect.call(this, { ...options, host: HERE }, done);
    process.nextTick(() => this.destroy(toRefusal(host)));
    return this;
  };
  Reflect.set(Socket.prototype, 'connect', steered);

  const lookup = dns.lookup as unknown as (name: string, ...rest: unknown[]) => void;
  const answer = (name: string, done: Callback, all: boolean) => {
    if (steer(name) === 'here') return all ? done(null, [{ address: HERE, family: 4 }]) : done(null, HERE, 4);
    done(toRefusal(name));
  };
  Reflect.set(dns, 'lookup', (name: string, ...rest: unknown[]) => {
    if (isHere(name)) return lookup(name, ...rest);
    const [options] = rest as [{ all?: boolean } | undefined];
    process.nextTick(answer, name, rest.at(-1) as Callback, options?.all === true);
  });
  const { promises } = dns;
  const find = promises.lookup as (name: string, options?: object) => Promise<unknown>;
  Reflect.set(promises, 'lookup', async (name: string, options?: { all?: boolean }) => {
    if (isHere(name)) return find(name, options);
    if (steer(name) === 'refuse') throw toRefusal(name);
    const found = { address: HERE, family: 4 };
    return options?.all === true ? [found] : found;
  });
  for (const holder of [dns, dns.Resolver.prototype]) {
    for (const method of Object.keys(holder).filter((name) => /^re(?:solve|verse)/.test(name))) {
      Reflect.set(holder, method, (name: string, ...rest: unknown[]) => {
        const found = steer(name) === 'here' && method === 'resolve4' ? [HERE] : undefined;
        process.nextTick(rest.at(-1) as Callback, found ? null : toRefusal(name), found);
      });
    }
  }
  Reflect.set(dgram, 'createSocket', () => {
    throw toRefusal('a datagram');
  });
  syncBuiltinESMExports();
}

/** Whether a name needs no look-up elsewhere. */
function isHere(name: string): boolean {
  return name === '' || isIP(name) !== 0 || LOOPBACK.test(name);
}

interface Destination {
  readonly host?: string;
  readonly port?: number | string;
  /** Of a socket in the file system. */
  readonly path?: string | null;
}

/** Of `connect(options)`, `connect(port, host)`, `connect(path)`, and of what `net.connect` makes of them. */
function readArguments(args: readonly unknown[]): { options: Destination; done: unknown } {
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  const done = (Array.isArray(args[0]) ? args[0] : args).findLast((each) => typeof each === 'function');
  if (typeof first === 'object' && first !== null) return { options: first, done };
  const isPort = typeof first === 'number' || /^\d+$/.test(String(first));
  if (!isPort) return { options: { path: String(first) }, done };
  return {
    options: { port: first as number | string, ...(typeof second === 'string' && { host: second }) },
    done,
  };
}

function toRefusal(name: string): Error {
  return Object.assign(new Error(`a test asked for ${name}`), { code: 'ENOTFOUND', hostname: name });
}
