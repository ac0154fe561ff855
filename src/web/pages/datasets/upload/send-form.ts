// Sends form data and tells how much of it has gone, which `fetch` does not.
import { failureOfResponse, unreachable } from "../../../lib/failure.ts";
import { fetchApi } from "../../../lib/session.ts";

export async function sendForm<Answer>(
  path: string,
  form: FormData,
  onSent: (bytes: number, of: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  // A sign-in that has expired is renewed before, not in the middle of a file.
  await fetchApi("v1/datasets?limit=1", { signal }).catch((error: unknown) => {
    throw unreachable(error);
  });
  const response = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort());
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
    request.onload = () => {
      const headers = { "x-request-id": request.getResponseHeader("x-request-id") ?? "" };
      resolve(new Response(request.responseText, { status: request.status, headers }));
    };
    request.onerror = () => reject(unreachable(new TypeError("no answer")));
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    request.open("POST", path);
    request.send(form);
  });
  if (!response.ok) throw await failureOfResponse(response);
  return (await response.json()) as Answer;
}
