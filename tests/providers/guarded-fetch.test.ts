// The guarded fetch, against local servers with host names that the test resolves.
import { afterEach, describe, expect, test } from "bun:test";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { createMetrics } from "../../src/kernel/metrics.ts";
import { createGuardedFetch, type GuardOptions, type ResolveHost } from "../../src/providers/guarded-fetch.ts";
import { ProviderFetchError, type ProviderRequest } from "../../src/providers/provider-fetch.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { scriptedModelsOfSuite } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";

const models = scriptedModelsOfSuite();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const HERE: ResolveHost = async () => ["127.0.0.1"];

function guarded(options: Partial<GuardOptions> = {}) {
  const metrics = createMetrics();
  const fetch = createGuardedFetch({ allowsPrivateAddresses: true, allowedHosts: null, metrics, ...options });
  const send = (url: string, changes: Partial<ProviderRequest> = {}) =>
    fetch({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "text", stream: false }),
      label: "OPENAI",
      maximumIdleSeconds: () => 20,
      totalSeconds: 30,
      maximumBytes: 1e6,
      signal: new AbortController().signal,
      ...changes,
    });
  const textOf = async (url: string, changes?: Partial<ProviderRequest>) => {
    const response = await send(url, changes);
    const text = Buffer.concat(await Array.fromAsync(response.body)).toString();
    return { status: response.status, headers: response.headers, text };
  };
  return { send, textOf, metrics };
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ProviderFetchError);
  const { kind, message } = error as ProviderFetchError;
  return `${kind}: ${message}`;
}

const path = (host: string) => `http://${host}:${models.port}/v1/chat/completions`;
const askedFor = (model: string, members: object = {}) => ({ body: JSON.stringify({ model, ...members }) });

/** A TCP server that answers the first bytes it receives. */
async function rawServer(answer: (socket: Socket) => void): Promise<string> {
  const server: Server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe("addresses", () => {
  test.each([
    "ftp://api.example/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "no address",
    "",
    "http://user@api.example/",
    "http://user:password@api.example/",
  ])("%p is not called", async (url) => {
    expect(await failureOf(guarded({ resolve: HERE }).send(url))).toStartWith("address: ");
  });

  test.each([
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0.0.0.0",
    "[::]",
    "[::ffff:169.254.169.254]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "224.0.0.1",
  ])("%s is never called", async (host) => {
    expect(await failureOf(guarded().send(`http://${host}:${models.port}/`))).toContain("is never called");
  });

  test.each(["127.0.0.1", "2130706433", "localhost", "[::1]", "10.1.2.3", "[fd00::1]"])(
    "%s is called only where private addresses are allowed",
    async (host) => {
      const closed = guarded({ allowsPrivateAddresses: false });
      expect(await failureOf(closed.send(path(host)))).toContain("private address");
      expect(models.requests).toEqual([]);
    },
  );

  test("all addresses of a host are checked", async () => {
    const answers = [
      ["8.8.8.8", "127.0.0.1"],
      ["127.0.0.1", "169.254.169.254"],
    ];
    const mixed = guarded({ allowsPrivateAddresses: false, resolve: async () => answers[0]! });
    expect(await failureOf(mixed.send(path("mixed.example")))).toContain("private address");
    const worse = guarded({ resolve: async () => answers[1]! });
    expect(await failureOf(worse.send(path("worse.example")))).toContain("is never called");
    expect(models.requests).toEqual([]);
  });

  test("a host that changes its address (DNS rebinding): the connection goes to the checked address", async () => {
    const asked: string[] = [];
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    const { textOf } = guarded({
      resolve: async (host) => {
        asked.push(host);
        return answers.shift()!;
      },
    });
    expect((await textOf(path("rebind.example"))).status).toBe(200);
    // Resolved once a request; the Host header has the name.
    expect(asked).toEqual(["rebind.example"]);
    expect(models.requests[0]?.headers.host).toBe(`rebind.example:${models.port}`);
    expect(await failureOf(textOf(path("rebind.example")))).toContain("is never called");
    expect(models.requests.length).toBe(1);
  });

  test("only allowed hosts are called, if any are set", async () => {
    const { textOf } = guarded({ resolve: HERE, allowedHosts: ["api.example"] });
    expect((await textOf(path("API.example"))).status).toBe(200);
    expect(await failureOf(textOf(path("other.example")))).toContain("other.example is not among the hosts");
    expect(await failureOf(textOf(path("127.0.0.1")))).toContain("not among the hosts");
  });

  test("an unresolvable host, and a second address after the first one refused", async () => {
    const lost = guarded({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await failureOf(lost.send(path("lost.example")))).toBe(
      "connection: The name lost.example cannot be resolved",
    );
    const second = guarded({ resolve: async () => ["127.0.0.2", "127.0.0.1"] });
    expect((await second.textOf(path("two.example"))).status).toBe(200);
  });

  test("the system resolver is the default", async () => {
    expect((await guarded().textOf(path("localhost"))).status).toBe(200);
  });
});

describe("TLS", () => {
  const own = selfSignedCertificate(["secure.example"]);

  async function tlsServer(): Promise<number> {
    const server = createTlsServer({ cert: own.certificate, key: own.key }, (request, response) => {
      const { servername } = request.socket as Socket & { servername?: string };
      response.end(JSON.stringify({ host: request.headers.host, servername }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  test("the certificate is verified for the host name", async () => {
    const port = await tlsServer();
    const { textOf } = guarded({ resolve: HERE, authorities: own.certificate });
    const { text } = await textOf(`https://secure.example:${port}/`);
    expect(JSON.parse(text)).toEqual({ host: `secure.example:${port}`, servername: "secure.example" });
    for (const host of ["other.example", "127.0.0.1"]) {
      expect(await failureOf(textOf(`https://${host}:${port}/`))).toStartWith("connection: The TLS connection");
    }
  });

  test("an untrusted certificate is refused", async () => {
    const port = await tlsServer();
    const { send } = guarded({ resolve: HERE });
    expect(await failureOf(send(`https://secure.example:${port}/`))).toContain("The TLS connection");
  });
});

describe("redirects", () => {
  const redirected = (status: number, location: string, changes: Partial<ProviderRequest> = {}) =>
    guarded({ resolve: HERE }).textOf(path("api.example"), {
      ...askedFor(`redirect-${status}-${location}`),
      ...changes,
    });

  test("are followed on the same host, with the same request, up to a limit", async () => {
    const target = `http://api.example:${models.port}/v1/messages`;
    // The target redirects again, because the body is the same.
    expect(await failureOf(redirected(307, target))).toContain("redirects too often");
    expect(models.requests.map(({ path: asked }) => asked)).toEqual([
      "/v1/chat/completions",
      "/v1/messages",
      "/v1/messages",
      "/v1/messages",
    ]);
    expect(new Set(models.requests.map(({ text }) => text)).size).toBe(1);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://other.example/",
    "http://127.0.0.1/",
    "http://api.example:1/",
    "file:///etc/passwd",
    "http://user@api.example/",
  ])("to %s are not followed", async (location) => {
    expect(await failureOf(redirected(307, location))).toStartWith("address: ");
    expect(models.requests.length).toBe(1);
  });

  test("that would turn a POST into a GET are not followed", async () => {
    for (const status of [301, 302, 303]) {
      expect(await failureOf(redirected(status, "/v1/messages"))).toContain("redirects to another page");
    }
  });

  test("are checked again: a host that changed its address is refused", async () => {
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    const { send } = guarded({ resolve: async () => answers.shift()! });
    expect(await failureOf(send(path("api.example"), askedFor("redirect-308-/v1/messages")))).toContain(
      "is never called",
    );
  });
});

describe("limits", () => {
  test("of bytes, also for compressed responses", async () => {
    const { textOf, metrics } = guarded();
    const huge = askedFor("huge-100000000", { stream: true });
    expect(await failureOf(textOf(path("127.0.0.1"), huge))).toBe("too_large: The answer is larger than 1000000 bytes");
    // The connection was closed.
    await until(() => models.abandoned.length === 1);
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const url = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    const before = process.memoryUsage().rss;
    expect(await failureOf(textOf(url))).toStartWith("too_large");
    expect(process.memoryUsage().rss - before).toBeLessThan(30e6);
    expect(metrics.text()).toContain('spanlight_provider_requests_total{provider="OPENAI",outcome="too_large"} 2');
  });

  test("of idle time, before and after the first byte, and of the total time", async () => {
    const { textOf } = guarded();
    const host = `127.0.0.1:${models.port}`;
    const quick = { maximumIdleSeconds: () => 0.05 };
    const silent = askedFor("silent");
    expect(await failureOf(textOf(path("127.0.0.1"), { ...silent, ...quick }))).toBe(
      `timeout: ${host} sent nothing for 0.05 seconds`,
    );
    const slow = askedFor("slow", { stream: true });
    expect(await failureOf(textOf(path("127.0.0.1"), { ...slow, ...quick }))).toStartWith("timeout");
    expect(await failureOf(textOf(path("127.0.0.1"), { ...slow, totalSeconds: 0.05 }))).toBe(
      `timeout: ${host} did not finish within 0.05 seconds`,
    );
    await until(() => models.abandoned.length === 3);
  });

  test("of idle time do not include the time of the reader", async () => {
    const { send } = guarded();
    const response = await send(path("127.0.0.1"), {
      ...askedFor("text", { stream: true }),
      maximumIdleSeconds: () => 1,
    });
    const body = response.body[Symbol.asyncIterator]();
    let pieces = 0;
    for (let piece = await body.next(); piece.done !== true; piece = await body.next()) {
      pieces++;
      if (pieces === 1) await Bun.sleep(1200);
    }
    expect(pieces).toBeGreaterThan(0);
  });

  test("a reader that waits slows the sender down", async () => {
    let written = 0;
    const chunk = Buffer.alloc(1 << 20);
    const url = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = () => {
        written += chunk.length;
        if (written < 200 * chunk.length) socket.write(chunk, more);
      };
      more();
    });
    const response = await guarded().send(url, { maximumBytes: 1e9 });
    const body = response.body[Symbol.asyncIterator]();
    await body.next();
    for (let before = -1; before !== written; ) {
      before = written;
      await Bun.sleep(100);
    }
    // What fits into the buffers of both sides.
    expect(written).toBeLessThan(50 * chunk.length);
    await body.return!();
  });

  test("apply to name resolution", async () => {
    const { send } = guarded({ resolve: () => new Promise(() => {}) });
    expect(await failureOf(send(path("lost.example"), { maximumIdleSeconds: () => 0.05 }))).toStartWith("timeout");
  });

  test("the caller's signal ends the request with its reason", async () => {
    const { textOf } = guarded();
    const controller = new AbortController();
    const running = textOf(path("127.0.0.1"), { ...askedFor("silent"), signal: controller.signal });
    await until(() => models.requests.length === 1);
    controller.abort("stopped");
    expect(await running.catch((reason: unknown) => reason)).toBe("stopped");
    await until(() => models.abandoned.length === 1);
    const late = new AbortController();
    late.abort("too late");
    expect(await textOf(path("127.0.0.1"), { signal: late.signal }).catch((reason: unknown) => reason)).toBe(
      "too late",
    );
    expect(models.requests.length).toBe(1);
  });
});

describe("broken connections", () => {
  test("received data is read before the error", async () => {
    const { send } = guarded();
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n";
    for (const breaks of [
      (socket: Socket) => void socket.end(head),
      (socket: Socket) => void socket.write(head, () => socket.resetAndDestroy()),
    ]) {
      const response = await send(await rawServer(breaks));
      const read: string[] = [];
      const failed = await failureOf(
        (async () => {
          for await (const piece of response.body) read.push(Buffer.from(piece).toString());
        })(),
      );
      expect(read.join("")).toBe("hello");
      expect(failed).toMatch(/^connection: 127\.0\.0\.1:\d+ closed the connection in the middle of the answer$/);
    }
  });

  test("lose no data if the body is read later", async () => {
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n";
    const { promise: broken, resolve } = Promise.withResolvers<void>();
    const response = await guarded().send(
      await rawServer((socket) => void socket.once("close", () => resolve()).end(head)),
    );
    await broken;
    await Bun.sleep(20);
    const body = response.body[Symbol.asyncIterator]();
    expect(Buffer.from((await body.next()).value!).toString()).toBe("hello");
    expect(await failureOf(body.next())).toStartWith("connection");
  });

  test.each<[string, RegExp, (socket: Socket) => void]>([
    ["closed at once", /closed the connection without an answer$/, (socket) => socket.destroy()],
    ["that is not HTTP", /sent an invalid HTTP response/, (socket) => socket.end("NOT HTTP\r\n\r\n")],
    [
      "with endless headers",
      /HPE_HEADER_OVERFLOW/,
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(2e6)}\r\n\r\n`),
    ],
  ])("a response %s", async (_what, message, answer) => {
    expect(await failureOf(guarded().send(await rawServer(answer)))).toMatch(message);
  });

  test("a refused connection", async () => {
    const url = await rawServer(() => {});
    for (const close of closing.splice(0)) close();
    expect(await failureOf(guarded().send(url))).toMatch(/^connection: 127\.0\.0\.1:\d+ refused the connection$/);
  });

  test("compressed responses are decompressed, damaged ones are reported", async () => {
    const packed = gzipSync("an answer");
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
    const good = await rawServer((socket) => socket.end(Buffer.concat([Buffer.from(head), packed])));
    expect((await guarded().textOf(good)).text).toBe("an answer");
    const bad = await rawServer((socket) => socket.end(`${head}${"x".repeat(packed.length)}`));
    expect(await failureOf(guarded().textOf(bad))).toStartWith("connection: ");
  });
});

test("connections are kept alive, and proxies of the environment are ignored", async () => {
  const before = { ...process.env };
  Object.assign(process.env, { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" });
  try {
    const ports = new Set<number>();
    const server = createTcpServer().on("error", () => {});
    closing.push(() => server.close());
    const { createServer } = await import("node:http");
    const http = createServer((request, response) => {
      ports.add(request.socket.remotePort!);
      response.end("ok");
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      http.closeAllConnections();
      http.close();
    });
    const { textOf } = guarded();
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    for (let count = 0; count < 3; count++) expect((await textOf(url)).text).toBe("ok");
    expect(ports.size).toBe(1);
  } finally {
    for (const name of ["HTTP_PROXY", "http_proxy"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
});

test("requests, failures and durations are counted by provider", async () => {
  const { textOf, send, metrics } = guarded();
  await textOf(path("127.0.0.1"));
  await textOf(path("127.0.0.1"), { ...askedFor("e401"), label: "XAI" });
  await textOf(path("127.0.0.1"), { ...askedFor("e500"), label: "XAI" });
  await failureOf(send("http://169.254.169.254/", { label: "OLLAMA" }));
  const text = metrics.text();
  for (const line of [
    'spanlight_provider_requests_total{provider="OPENAI",outcome="success"} 1',
    'spanlight_provider_requests_total{provider="XAI",outcome="refused"} 1',
    'spanlight_provider_requests_total{provider="XAI",outcome="failed"} 1',
    'spanlight_provider_requests_total{provider="OLLAMA",outcome="address"} 1',
    'spanlight_provider_failures_total{provider="XAI"} 2',
    'spanlight_provider_failures_total{provider="OLLAMA"} 1',
    'spanlight_provider_seconds_count{provider="XAI"} 2',
  ]) {
    expect(text).toContain(line);
  }
  const documented = await Bun.file("docs/metrics.md").text();
  for (const [, name, outcome] of text.matchAll(
    /^(spanlight_provider_\w+?)(?:_bucket|_sum|_count)?\{.*?(?:outcome="(\w+)")?\}/gm,
  )) {
    expect(documented).toContain(`| \`${name}\` | \`provider\``);
    if (outcome !== undefined) expect(documented).toContain(`\`${outcome}\``);
  }
});
