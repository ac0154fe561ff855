// Requests as bytes on a socket, for what no client would send.
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends `line`, such as `GET / HTTP/1.1`, and the header lines as they are and a body, and reads until the other end closes. */
export async function sendRaw(
  port: number,
  line: string,
  headers: readonly string[] = [],
  body = "",
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(Buffer.from([line, ...headers, "Connection: close", "", ""].join("\r\n"), "latin1"));
    socket.write(body);
  });
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.once("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  socket.once("error", reject);
  const [head = "", ...rest] = (await promise).split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const pairs = lines.map((each) => [each.slice(0, each.indexOf(":")), each.slice(each.indexOf(":") + 1).trim()]);
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: new Headers(pairs as [string, string][]),
    body: rest.join("\r\n\r\n"),
  };
}
