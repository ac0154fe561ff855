// How the service proves to a provider which client it is.
import { readFile, stat } from "node:fs/promises";
import type { ClientAuth } from "openid-client";
import type { IdentityProviderConfig } from "../../../../config/identity-providers.ts";
import { assertionUnusable } from "./openid.errors.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const MAX_ASSERTION_BYTES = 64 * 1024;

/** Throws, in words for the log, when the file of an assertion cannot be used; a secret path is not part of the message. */
export async function clientAuthenticationOf(
  config: Pick<IdentityProviderConfig, "clientId" | "clientSecret" | "clientAuthentication" | "assertionFile">,
): Promise<ClientAuth> {
  const { clientId, clientSecret, clientAuthentication, assertionFile } = config;
  switch (clientAuthentication) {
    case "client_secret_basic":
      return (_server, _client, _body, headers) =>
        headers.set("authorization", basicHeader(clientId, clientSecret ?? ""));
    case "client_secret_post":
      return (_server, _client, body) => {
        body.set("client_id", clientId);
        body.set("client_secret", clientSecret ?? "");
      };
    case "none":
      return (_server, _client, body) => body.set("client_id", clientId);
    case "client_assertion_jwt": {
      const assertion = await readAssertion(assertionFile);
      return (_server, _client, body) => {
        body.set("client_id", clientId);
        body.set("client_assertion_type", ASSERTION_TYPE);
        body.set("client_assertion", assertion);
      };
    }
  }
}

/** As few characters are encoded as may be: some providers compare without decoding. */
function basicHeader(clientId: string, clientSecret: string): string {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString("base64")}`;
}

async function readAssertion(assertionFile: IdentityProviderConfig["assertionFile"]): Promise<string> {
  const shownPath = assertionFile?.mayBeShown ? ` ${assertionFile.path}` : "";
  const unusable = (problem: string) => assertionUnusable(`the file${shownPath} of the client assertion ${problem}`);
  const path = assertionFile?.path ?? "";
  const { size, isRegular } = await stat(path).then(
    (found) => ({ size: found.size, isRegular: found.isFile() }),
    () => ({ size: 0, isRegular: false }),
  );
  if (!isRegular) throw unusable("is not there, or is no regular file");
  if (size > MAX_ASSERTION_BYTES) throw unusable("is too large");
  const bytes = await readFile(path).catch(() => {
    throw unusable("cannot be read");
  });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch {
    throw unusable("is not UTF-8");
  }
  if (text === "") throw unusable("is empty");
  return text;
}
