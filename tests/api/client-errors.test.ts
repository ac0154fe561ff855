// Errors of pages over HTTP: what becomes a line of the log, what is refused, and how many are taken. No database takes part.
import { beforeEach, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { clientErrorRoutes } from "../../src/modules/instance/client-errors/client-errors.routes.ts";
import { createClientErrorsService } from "../../src/modules/instance/client-errors/client-errors.service.ts";
import { serverOf } from "../support/api.ts";
import { signedIn } from "../support/principals.ts";

interface Line {
  readonly level: string;
  readonly message: string;
  readonly logger: string;
  readonly timestamp?: string;
}

let lines: Line[];
let nowUs: number;
let principal: Principal;
let address: string;
beforeEach(() => {
  [lines, nowUs, principal, address] = [[], systemClock.now(), openPrincipal, "192.0.2.1"];
});

function opened(disabled = false) {
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  const log = createLogger({ level: "info", mode: "structured", write }).named("client errors");
  const service = createClientErrorsService(log, { ...systemClock, now: () => nowUs }, disabled);
  const server = serverOf([clientErrorRoutes(service)], {
    resolvePrincipal: () => principal,
    settings: { trustedProxies: [], trustedHostNames: ["trusted.example"] },
  });
  return async (json: unknown, headers: Record<string, string> = {}) => {
    const request = new Request("http://localhost/client_errors", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(json),
    });
    const response = await server.fetch(request, () => address);
    const text = await response.text();
    return { status: response.status, text, retry: response.headers.get("retry-after") };
  };
}

test("a report is one line, without what follows the path of its page", async () => {
  const report = opened();
  const error = {
    message: "x is not\na function",
    stack: "at y",
    url: "http://localhost/reset-password-with-token?token=secret#part",
    user_agent: null,
    attributes: { route: "/projects" },
    more: 1,
  };
  expect(await report(error)).toEqual({ status: 204, text: "", retry: null });
  const { timestamp, ...line } = lines[0]!;
  expect(timestamp).toBeDefined();
  expect(line).toEqual({
    level: "ERROR",
    message: "x is not\na function",
    logger: "client errors",
    stack: "at y",
    url: "http://localhost/reset-password-with-token",
    attributes: '{"route":"/projects"}',
  } as never);
});

test("long texts are cut", async () => {
  expect((await opened()({ message: "m".repeat(100_000) })).status).toBe(204);
  expect(lines[0]!.message).toBe(`${"m".repeat(8000)}…`);
});

test.each<[string, unknown, string]>([
  ["no body", undefined, "missing"],
  ["a list", [], "model_attributes_type"],
  ["no message", {}, "missing"],
  ["an empty message", { message: "" }, "string_too_short"],
  ["a message that is no text", { message: 1 }, "string_type"],
  ["a stack that is no text", { message: "m", stack: [] }, "string_type"],
  ["an attribute that is no text", { message: "m", attributes: { a: 1 } }, "value_error"],
  ["attributes that are no object", { message: "m", attributes: "a" }, "dict_type"],
  ["NUL in the message", { message: "a\0b" }, "value_error"],
  ["NUL in the stack", { message: "m", stack: "\0" }, "value_error"],
  ["NUL in an attribute", { message: "m", attributes: { a: "\0" } }, "value_error"],
  ["NUL in the name of an attribute", { message: "m", attributes: { "a\0": "b" } }, "value_error"],
])("%s is refused", async (_case, json, type) => {
  const { status, text } = await opened()(json);
  expect([status, (JSON.parse(text) as { detail: { type: string }[] }).detail.map((one) => one.type)]).toEqual([
    422,
    [type],
  ]);
  expect(lines).toEqual([]);
});

test("everybody who signed in may report, and nobody else", async () => {
  const report = opened();
  principal = { kind: "anonymous" };
  expect((await report({ message: "m" })).status).toBe(401);
  for (const role of ["VIEWER", "MEMBER", "ADMIN"] as const) {
    principal = signedIn(1, role);
    expect((await report({ message: role })).status).toBe(204);
  }
  expect(lines.map(({ message }) => message)).toEqual(["VIEWER", "MEMBER", "ADMIN"]);
});

test("a page of another site may not", async () => {
  const report = opened();
  expect((await report({ message: "m" }, { origin: "https://elsewhere.example" })).status).toBe(401);
  expect(lines).toEqual([]);
});

test("twenty at once of an address, then one a second; bad ones count", async () => {
  const report = opened();
  const statuses: number[] = [];
  for (let sent = 0; sent < 21; sent++) statuses.push((await report(sent % 2 === 0 ? { message: "m" } : {})).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => [204, 422]).flat(), 429]);
  expect(await report({})).toEqual({ status: 429, text: "Too Many Requests", retry: "1" });
  address = "192.0.2.2";
  expect((await report({ message: "m" })).status).toBe(204);
  address = "192.0.2.1";
  nowUs += 1_000_000;
  expect([(await report({ message: "m" })).status, (await report({ message: "m" })).status]).toEqual([204, 429]);
});

test("the limit can be switched off", async () => {
  const report = opened(true);
  for (let sent = 0; sent < 30; sent++) expect((await report({ message: "m" })).status).toBe(204);
});

test("an address that goes on reporting stays counted, whatever many others report", () => {
  const log = createLogger({ level: "info", mode: "structured", write: () => {} });
  const service = createClientErrorsService(log, { ...systemClock, now: () => nowUs }, false);
  const refused = () => {
    try {
      service.admit(address);
      return false;
    } catch {
      return true;
    }
  };
  while (!refused());
  for (let other = 0; other < 25_000; other++) {
    service.admit(`198.51.${other >> 8}.${other & 255}`);
    if (other % 1000 === 0) expect(refused()).toBe(true);
  }
});
