// Addresses of pages with their parameters filled in, checked by the compiler.
import { addresses, type PageName } from "../declared-pages.ts";

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Given<Name extends PageName> = [Names<(typeof addresses)[Name]>] extends [never]
  ? []
  : [parameters: { readonly [Key in Names<(typeof addresses)[Name]>]: string }];

/** `linkTo("projects")`; a page with parameters takes them as an object. */
export function linkTo<Name extends PageName>(name: Name, ...given: Given<Name>): string {
  const values = (given[0] ?? {}) as Readonly<Record<string, string>>;
  return addresses[name].replace(/\{(\w+)\}/g, (_whole, key: string) => segmentOf(values[key] ?? ""));
}

/** The router gives a segment back with every sign still escaped that has a meaning in addresses. The `=` at the end of global ids
 *  has none in a path, so it is left as it is. */
function segmentOf(value: string): string {
  return encodeURIComponent(value).replaceAll("%3D", "=");
}

/** A parameter of the path as it was before `linkTo`. */
export function pathParameter(given: string): string {
  try {
    return decodeURIComponent(given);
  } catch {
    return given;
  }
}

/** The pattern of a page in the form of the router. */
export function patternOf(name: PageName): string {
  return addresses[name].replace(/\{(\w+)\}/g, ":$1");
}

/** Where a project opens. Kept apart from `addresses`, so that every page may lead there. */
export function linkToProject(projectId: string): string {
  return `/projects/${segmentOf(projectId)}/traces`;
}
