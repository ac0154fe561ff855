// The way back after a sign-in. It comes out of the address, which anybody may have written: only a page of our own counts.
const NAME = "returnUrl";

/** The path below the root path that `text` names, or `/`. Browsers read a backslash as a slash and leave control characters out
 *  before they look for a host, so both are refused. */
export function ownPath(text: string | null): string {
  if (text === null || !/^\/(?![/\\])/.test(text) || /[\\\p{Cc}]/u.test(text)) return "/";
  return text;
}

/** Where the page at `search` is to lead in the end. */
export function returnPath(search: string): string {
  return ownPath(new URLSearchParams(search).get(NAME));
}

/** An address of ours that leads back to `path` in the end. `parameters` stand before. */
export function withReturn(to: string, path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...parameters, ...(path === "/" ? {} : { [NAME]: path }) }).toString();
  return query === "" ? to : `${to}?${query}`;
}
