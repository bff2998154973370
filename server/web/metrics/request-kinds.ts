import { findRoute } from '../routes.ts';

export type RequestKind = 'page' | 'api' | 'media' | 'notice' | 'static' | 'health';

/** What a request is counted as: values from fixed sets only, whatever is requested. */
export interface RequestClass {
  readonly kind: RequestKind;
  /** For a call of the API, its declared method and path, such as `GET /api/sounds/{id}/`; '' for all others. */
  readonly route: string;
}

export interface ApiRoute {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

/** Segments below a path, and the route of each method that ends here. */
interface Node {
  readonly children: Map<string, Node>;
  readonly routes: Map<string, RequestClass>;
}

const PARAMETER = '{}';
const UNKNOWN_CALL: RequestClass = { kind: 'api', route: 'unknown' };
const CLASSES = {
  page: { kind: 'page', route: '' },
  media: { kind: 'media', route: '' },
  notice: { kind: 'notice', route: '' },
  built: { kind: 'static', route: '' },
  healthz: { kind: 'health', route: '' },
  readyz: { kind: 'health', route: '' },
} as const satisfies Record<string, RequestClass>;

/** Returns a function that classifies a request by its method and raw target. */
export function createClassifier(
  apiRoutes: readonly ApiRoute[],
  isStaticFile: (path: string) => boolean,
): (method: string, url: string) => RequestClass {
  const root: Node = { children: new Map(), routes: new Map() };
  for (const { method, path } of apiRoutes) {
    const node = toSegments(path).reduce((parent, segment) => {
      const name = segment.startsWith('{') ? PARAMETER : segment;
      const child = parent.children.get(name) ?? { children: new Map(), routes: new Map() };
      parent.children.set(name, child);
      return child;
    }, root);
    node.routes.set(method, { kind: 'api', route: `${method} ${path}` });
  }
  return (method, url) => {
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    if (isStaticFile(path)) return CLASSES.built;
    const route = findRoute(path);
    if (route !== 'api') return CLASSES[route];
    const called = method === 'HEAD' ? 'GET' : method;
    return find(root, toSegments(path), 0)?.routes.get(called) ?? UNKNOWN_CALL;
  };
}

/** A literal segment precedes a parameter. */
function find(node: Node, segments: readonly string[], at: number): Node | undefined {
  const segment = segments[at];
  if (segment === undefined) return node;
  for (const name of [segment, PARAMETER]) {
    const child = node.children.get(name);
    const found = child && find(child, segments, at + 1);
    if (found !== undefined && found.routes.size > 0) return found;
  }
  return undefined;
}

/** Bounded: no route is longer. The trailing slash is optional. */
function toSegments(path: string): string[] {
  return path.replace(/\/$/, '').split('/', 16).slice(1);
}
