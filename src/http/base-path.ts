// The sub-path below which a proxy serves us (SERVICE_HOST_ROOT_PATH). Requests are understood with and without it, because
// some proxies strip it and some do not; addresses that we hand out always begin with it.

/** The path without the prefix; unchanged when it does not begin with it. */
export function withoutBasePath(path: string, basePath: string): string {
  if (basePath === "" || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  return rest === "" ? "/" : rest.startsWith("/") ? rest : path;
}

/** The paths under which one route answers. */
export function mountedPaths(path: string, basePath: string): readonly string[] {
  return basePath === "" ? [path] : [path, `${basePath}${path}`];
}
