// Takes the unpacking of messages out of the gRPC library's hands. It unpacks every message as it arrives: a hundred small
// bodies sent at once became 6.7 GB. Messages stay as sent instead, and the receiver unpacks one after the other, as on HTTP.

/** The library's call keeps the value of `grpc-encoding` here and nowhere public. Should a release rename it, the library
 *  unpacks again, each message within its limit, and the test of many bombs at once fails. */
const FIELD = "incomingEncoding";
const encodings: ReadonlySet<unknown> = new Set(["gzip", "deflate"]);

/** Makes the library hand over messages as sent; must be called before the first one is read. */
export function keepMessagesPacked(call: object): void {
  if (encodings.has(Reflect.get(call, FIELD))) Reflect.set(call, FIELD, "identity");
}

/** How a message is packed. Each message tells by a flag, which the library keeps to itself, and senders leave out the
 *  packing where it does not pay; but the first byte of an export request is 0x0a, which begins neither format. */
export function encodingOf(message: Uint8Array): "gzip" | "deflate" | null {
  const [first = 0, second = 0] = message;
  if (first === 0x1f && second === 0x8b) return "gzip";
  // RFC 1950: method 8 in the low half of the first byte, and a check on both bytes.
  return (first & 15) === 8 && (first * 256 + second) % 31 === 0 ? "deflate" : null;
}
