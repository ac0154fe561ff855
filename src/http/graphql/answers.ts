// The forms in which an answer is sent: JSON, or in parts for clients that ask as they ask for subscriptions.
import { liveAnswer } from "../../api/live-answer.ts";

const BOUNDARY = "--graphql";
const MULTIPART = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json";
const ASKS_FOR_PARTS = /multipart\/mixed[^,]*;\s*subscriptionSpec="?1\.0/i;
const ASKS_FOR_GRAPHQL = /application\/graphql-response\+json/i;

export function takesParts(accept: string): boolean {
  return ASKS_FOR_PARTS.test(accept);
}

/** The answer in the form that the request accepts. */
export function answerOf(text: string, accept: string): Response {
  if (takesParts(accept)) {
    const body = `${BOUNDARY}${HEARTBEAT}${payload(text)}${END}`;
    return new Response(body, { headers: { "content-type": MULTIPART } });
  }
  const type = ASKS_FOR_GRAPHQL.test(accept) ? "application/graphql-response+json" : "application/json";
  return new Response(text, { headers: { "content-type": type } });
}

/** Results of a subscription as they come; `cancel` is called when the client goes away. */
export function subscriptionAnswer(results: AsyncGenerator<string, void, undefined>, cancel: () => void): Response {
  async function* payloads() {
    for await (const text of results) yield payload(text);
  }
  return liveAnswer({
    beginning: `${BOUNDARY}${HEARTBEAT}`,
    parts: payloads(),
    heartbeat: HEARTBEAT,
    end: END,
    cancel,
    headers: { "content-type": MULTIPART },
  });
}

/** Behind a boundary, and with the next one: readers know that a part is whole by what follows it. */
function part(body: string): string {
  return `\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n${BOUNDARY}`;
}

function payload(text: string): string {
  return part(`{"payload":${text}}`);
}

/** An empty part, which clients take for a sign of life. */
const HEARTBEAT = part("{}");
const END = "--\r\n";
