// Senders of bodies that fall silent: over plain sockets and over TLS they are answered and let go of, while slow ones are waited for.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RouteModule } from "../../src/api/route.ts";
import { type Listener, listen } from "../../src/http/listen.ts";
import { serverOf } from "../support/api.ts";
import { selfSignedCertificate } from "../support/certificate.ts";
import { createThing } from "../support/things.ts";
import { until } from "../support/until.ts";

const SILENCE_MILLISECONDS = 1_000;

const things: RouteModule = { name: "things", routes: [createThing] };
const { fetch: answer } = serverOf([things], { settings: { bodySilenceMs: SILENCE_MILLISECONDS } });
const identity = selfSignedCertificate();
const HEAD = "POST /v1/things HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
const BODY = '{"name":"slow"}';

for (const secured of [false, true]) {
  describe(secured ? "over TLS" : "over plain sockets", () => {
    let listener: Listener;
    beforeAll(() => {
      const tls = { certificate: identity.certificate, key: identity.key, clientAuthorities: null };
      listener = listen({ host: "127.0.0.1", port: 0, tls: secured ? tls : null, fetch: answer });
    });
    afterAll(() => listener.stop(100));

    async function connect() {
      const state = { received: "", closed: false };
      const ready = Promise.withResolvers<void>();
      const socket = await Bun.connect({
        hostname: "localhost",
        port: listener.port,
        ...(secured ? { tls: { ca: identity.certificate } } : {}),
        socket: {
          data(_socket, data) {
            state.received += data.toString();
          },
          close() {
            state.closed = true;
          },
          handshake: () => ready.resolve(),
        },
      });
      if (secured) await ready.promise;
      return { state, send: (text: string) => socket.write(text) };
    }

    for (const [what, sent] of [
      ["half a body", `content-length: ${BODY.length}\r\n\r\n${BODY.slice(0, 5)}`],
      ["nothing of a body", `content-length: ${BODY.length}\r\n\r\n`],
      ["half a body in chunks", `transfer-encoding: chunked\r\n\r\n5\r\n${BODY.slice(0, 5)}\r\n`],
    ] as const) {
      test(`${what} and then nothing is 408, and the connection ends`, async () => {
        const { state, send } = await connect();
        send(HEAD + sent);
        await until(() => state.closed);
        expect(state.received).toStartWith("HTTP/1.1 408 ");
        expect(state.received).toEndWith("Nothing of the body has arrived for 1 seconds");
      });
    }

    test("a body that arrives byte after byte is taken, however long it takes", async () => {
      const { state, send } = await connect();
      send(`${HEAD}content-length: ${BODY.length}\r\n\r\n`);
      const begun = performance.now();
      for (const character of BODY) {
        await Bun.sleep(SILENCE_MILLISECONDS / 10);
        send(character);
      }
      expect(performance.now() - begun).toBeGreaterThan(SILENCE_MILLISECONDS);
      await until(() => state.received.endsWith('{"length":4}'));
      expect(state.received).toStartWith("HTTP/1.1 200 ");
    });
  });
}
