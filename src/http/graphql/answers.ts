// The forms in which an answer is sent: JSON, or in parts for clients that ask as they ask for subscriptions.

const BOUNDARY = "graphql";
const MULTIPART = `multipart/mixed;boundary=${BOUNDARY};subscriptionSpec=1.0,application/json`;
const ASKS_FOR_PARTS = /multipart\/mixed[^,]*;\s*subscriptionSpec="?1\.0/i;
const ASKS_FOR_GRAPHQL = /application\/graphql-response\+json/i;

/** The answer in the form that the request accepts. */
export function answerOf(text: string, accept: string): Response {
  if (ASKS_FOR_PARTS.test(accept)) {
    return new Response(inParts(text), { headers: { "content-type": MULTIPART } });
  }
  const type = ASKS_FOR_GRAPHQL.test(accept) ? "application/graphql-response+json" : "application/json";
  return new Response(text, { headers: { "content-type": type } });
}

/** An empty part, which clients take for a sign of life, then the answer, then the end. */
function inParts(text: string): string {
  const part = (body: string) =>
    `--${BOUNDARY}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n`;
  return `${part("{}")}${part(`{"payload":${text}}`)}--${BOUNDARY}--\r\n`;
}
