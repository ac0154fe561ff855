// Every route of the API as declared, over services that do nothing: for tests that walk the declarations.
import type { RouteModule } from "../../src/api/route.ts";
import { createPages } from "../../src/http/pages.ts";
import { type ApiServices, apiModules } from "../../src/http/routes.ts";
import { openGuards } from "./api.ts";

/** A service of any kind whose every method resolves with nothing. */
const idle = new Proxy({}, { get: () => async () => null });

export function declaredModules(): readonly RouteModule[] {
  const services = new Proxy({}, { get: () => idle });
  const settings = { version: "1.2.3", rootPath: "", bodyLimit: 1_000_000, auth: null, graphql: openGuards };
  const files = { current: () => Promise.reject(new Error("This test has no pages")), lastRead: () => null };
  const pages = createPages(files, {
    basePath: "",
    version: "1.2.3",
    supportEmail: null,
    readOnly: false,
    authenticationEnabled: false,
    signIn: null,
    managementUrl: null,
  });
  return [...apiModules(services as unknown as ApiServices, settings), pages.module];
}

/** The same routes with handlers that only say that they were reached. */
export function reachedModules(status: number): readonly RouteModule[] {
  return declaredModules().map((module) => ({
    ...module,
    routes: module.routes.map((route) => ({ ...route, handler: () => new Response(null, { status }) })),
  }));
}
