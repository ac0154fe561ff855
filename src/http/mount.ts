// Routes as Elysia has them: one plugin a module, one Elysia route a declaration, the steps of a request as hooks of its life cycle.
import { Elysia } from "elysia";
import type { Route, RouteModule } from "../api/route.ts";
import { mountedPaths } from "./base-path.ts";
import { type PathParameter, pathParameters } from "./input.ts";

/** A route with what is worked out once. */
interface MountedRoute {
  readonly route: Route;
  readonly parameters: readonly PathParameter[];
}

/** The steps of a request, in this order. What one throws ends the request. */
export interface Steps {
  /** What must hold before the input is looked at. */
  admit(request: Request, mounted: MountedRoute): Promise<void>;
  readInput(request: Request, mounted: MountedRoute): Promise<void>;
  handle(request: Request, mounted: MountedRoute): unknown;
  /** Turns what the handler gave into the answer. */
  answer(request: Request, mounted: MountedRoute, result: unknown): Promise<Response>;
}

/** The plugin of one module. */
export function pluginOf(module: RouteModule, rootPath: string, steps: Steps) {
  const plugin = new Elysia({ name: `spanlight.${module.name}`, normalize: false });
  for (const route of module.routes) {
    const mounted: MountedRoute = { route, parameters: pathParameters(route.path) };
    for (const path of mountedPaths(route.path, rootPath)) {
      // Elysia tells by the text of a function whether it must wait for it: every step says so.
      plugin.route(route.method, elysiaPath(path), async ({ request }) => steps.handle(request, mounted), {
        detail: detailOf(route, module.name),
        // Elysia would read the body before a guard is asked, and tell of the first part of the input that is wrong.
        parse: "none",
        beforeHandle: [
          async ({ request }) => steps.admit(request, mounted),
          async ({ request }) => steps.readInput(request, mounted),
        ],
        mapResponse: async ({ request, responseValue }) => steps.answer(request, mounted, responseValue),
      });
    }
  }
  return plugin;
}

function detailOf({ operationId, summary, description, documented }: Route, tag: string) {
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    hide: documented === false,
  };
}

/** Parameters by position: Elysia refuses two routes that name the same segment differently. */
export function elysiaPath(path: string): string {
  let position = 0;
  return path.replace(/\{[^}]+\}/g, () => `:parameter${++position}`);
}

/** The `Allow` header of every path. */
export function allowedMethods(modules: readonly RouteModule[]): ReadonlyMap<string, string> {
  const allowed = new Map<string, { path: string; methods: Set<string> }>();
  for (const { method, path } of modules.flatMap((module) => module.routes)) {
    const entry = allowed.get(elysiaPath(path)) ?? { path, methods: new Set<string>() };
    entry.methods.add(method);
    allowed.set(elysiaPath(path), entry);
  }
  return new Map([...allowed.values()].map(({ path, methods }) => [path, [...methods].sort().join(", ")]));
}
