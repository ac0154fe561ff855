// Answers that are longer than memory: written in parts, each when the client has taken the one before.

const encoder = new TextEncoder();

/** The answer with these parts as its body. A part that fails ends the connection, so that the client sees it is not whole. */
export function streamedAnswer(
  parts: AsyncGenerator<string | Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, { headers: { ...headers } });
}

/** The `content-disposition` of a file with a name chosen by a user: in the form of RFC 5987. */
export function attachmentHeader(name: string, extension: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}.${extension}`;
}
