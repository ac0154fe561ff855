// The doctor's visit through proxies that are set up right, and wrong in each of the usual ways.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkVisit } from "../../src/cli/doctor/public-address.ts";
import { healthRoutes } from "../../src/http/health.ts";
import { type Listener, listen } from "../../src/http/listen.ts";
import { serverOf } from "../support/api.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { freePort } from "../support/ports.ts";

let upstream: Listener;
/** The same program without SERVICE_HOST_ROOT_PATH. */
let withoutRootPath: Listener;
const proxies: Listener[] = [];
const PLAIN = { host: "127.0.0.1", port: 0, tls: null } as const;

beforeAll(() => {
  const health = healthRoutes(async () => ({ note: null }));
  upstream = listen({ ...PLAIN, fetch: serverOf([health], { settings: { rootPath: "/traces" } }).fetch });
  withoutRootPath = listen({ ...PLAIN, fetch: serverOf([health]).fetch });
});
afterAll(async () => {
  for (const listener of [upstream, withoutRootPath, ...proxies]) await listener.stop(100);
});

/** A proxy that asks `target` for what `rewrite` makes of the path. */
function passing(target: () => Listener, rewrite: (path: string) => string, host?: string) {
  return async (request: Request) => {
    const { pathname } = new URL(request.url);
    const body = request.method === "GET" ? {} : { body: await request.bytes() };
    const url = `http://127.0.0.1:${target().port}${rewrite(pathname)}`;
    const headers = new Headers(request.headers);
    if (host !== undefined) headers.set("host", host);
    return fetch(url, {
      method: request.method,
      headers,
      redirect: "manual",
      decompress: false,
      ...body,
    });
  };
}

async function visitThrough(fetch: (request: Request) => Promise<Response>, path = "/traces"): Promise<string[]> {
  const proxy = listen({ ...PLAIN, fetch });
  proxies.push(proxy);
  const findings = await checkVisit(`http://127.0.0.1:${proxy.port}${path}`);
  return findings.map(({ state, text, advice }) => `${state}: ${text} | ${advice}`);
}

const asItIs = (path: string) => path;
const stripped = (path: string) => path.replace(/^\/traces/, "");
const answering =
  (status: number, headers: HeadersInit = {}) =>
  async () =>
    new Response("no", { status, headers });

describe("a proxy", () => {
  test.each([
    ["passes the path on as it is", asItIs],
    ["strips the prefix", stripped],
  ])("that %s is right", async (_what, rewrite) => {
    expect(await visitThrough(passing(() => upstream, rewrite))).toEqual([
      expect.stringMatching(/^ok: http:\/\/127\.0\.0\.1:\d+\/traces leads here/),
    ]);
  });

  const wrong: readonly (readonly [string, (request: Request) => Promise<Response>, RegExp, RegExp])[] = [
    [
      "passes a prefix that the service does not know",
      passing(() => withoutRootPath, asItIs),
      /reaches a Spanlight that does not know this path \(404\)/,
      /set SERVICE_HOST_ROOT_PATH to that prefix/,
    ],
    [
      "passes a name of its own on",
      passing(() => upstream, asItIs, "upstream.example:6006"),
      /passes another host name on, .*does not answer to upstream\.example:6006/,
      /proxy_set_header Host \$host.*SERVICE_ALLOWED_HOSTS/,
    ],
    ["leads to another server", answering(200), /is answered by another server \(200\)/, /pass this path/],
    ["knows nothing of the path", answering(404), /is answered by another server \(404\)/, /pass this path/],
    ["does not reach the service", answering(502), /does not reach the service \(502\)/, /check the address/],
    ["asks for a login", answering(401), /asks for a login \(401\)/, /let it pass/],
    [
      "redirects",
      answering(301, { location: "https://other.example/traces/healthz" }),
      /redirects to https:\/\/other\.example\/traces$/,
      /set SERVICE_ROOT_URL=https:\/\/other\.example\/traces,/,
    ],
  ];
  test.each(wrong)("that %s is reported, with what to do", async (_what, fetch, text, advice) => {
    const [line = "", ...rest] = await visitThrough(fetch);
    const [found = "", todo = ""] = line.split(" | ");
    expect(rest).toEqual([]);
    expect(found).toStartWith("problem: ");
    expect(found).toMatch(text);
    expect(todo).toMatch(advice);
  });

  test("that refuses larger bodies is reported", async () => {
    const pass = passing(() => upstream, asItIs);
    const lines = await visitThrough(async (request) =>
      Number(request.headers.get("content-length") ?? 0) > 1024 * 1024
        ? new Response("", { status: 413 })
        : pass(request),
    );
    expect(lines[1]).toMatch(/^problem: the proxy does not pass exports of 2 MiB on \(413\) \| .*client_max_body_size/);
  });

  test("whose clock differs is reported", async () => {
    const pass = passing(() => upstream, asItIs);
    const lines = await visitThrough(async (request) => {
      const answer = await pass(request);
      const headers = new Headers(answer.headers);
      headers.set("date", new Date(Date.now() - 3_600_000).toUTCString());
      headers.delete("content-length");
      return new Response(answer.body, { status: answer.status, headers });
    });
    expect(lines).toContainEqual(expect.stringMatching(/^problem: the proxy's clock differs by 3\d{3} s/));
  });

  test.each([
    ["the right base", "/traces/", /^ok: their files are looked for below \/traces\//],
    ["a wrong base", "/", /^problem: their files are looked for below \/, not \/traces\//],
  ])("that shows a page with %s", async (_what, base, line) => {
    const pass = passing(() => upstream, asItIs);
    const lines = await visitThrough(async (request) =>
      new URL(request.url).pathname === "/traces/"
        ? new Response(`<html><head><base href="${base}"></head></html>`, { headers: { "content-type": "text/html" } })
        : pass(request),
    );
    expect(lines).toContainEqual(expect.stringMatching(line));
  });
});

describe("an address", () => {
  test("where nothing listens is reported", async () => {
    const [finding] = await checkVisit(`http://127.0.0.1:${await freePort()}`);
    expect([finding!.state, finding!.text]).toEqual(["problem", expect.stringContaining("127.0.0.1")]);
  });

  test("with a certificate that is not accepted is reported", async () => {
    const { certificate, key } = selfSignedCertificate();
    const proxy = listen({ ...PLAIN, tls: { certificate, key, clientAuthorities: null }, fetch: answering(200) });
    proxies.push(proxy);
    const [finding] = await checkVisit(`https://localhost:${proxy.port}`);
    expect(finding).toMatchObject({
      state: "problem",
      text: expect.stringMatching(/^the certificate of localhost is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
    });
  });
});
