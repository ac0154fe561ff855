// URLs of providers, and where they may redirect to.
import { ProviderFetchError } from "./provider-fetch.ts";

/** Throws kind `address` for other protocols than http and https, and for user info. */
export function parseProviderUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ProviderFetchError("address", "The address of the provider must begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ProviderFetchError("address", "The address of the provider must not contain a user or password");
  }
  return url;
}

/** The request is repeated with its keys, so the target must have the same origin, or be the https address of the same host. Throws kind
 *  `address` for any other. */
export function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) {
    throw new ProviderFetchError("address", `${from.host} redirects to an invalid address`);
  }
  const to = parseProviderUrl(new URL(location, from).href);
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === "";
  if (to.hostname !== from.hostname || !(to.origin === from.origin || isUpgrade)) {
    throw new ProviderFetchError("address", `${from.host} redirects to another host`);
  }
  return to;
}
