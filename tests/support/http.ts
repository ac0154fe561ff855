// A small builder of requests for tests: queries from objects, JSON in and out, every status returned as it came.

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

export interface RequestOptions {
  /** A list repeats its name; null and undefined leave it out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, with the content type of `headers`. */
  readonly body?: Uint8Array<ArrayBuffer> | string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body read as JSON, in the shape the test expects. */
  json<Shape = unknown>(): Shape;
}

export interface HttpClient {
  get(path: string, options?: RequestOptions): Promise<HttpAnswer>;
  post(path: string, options?: RequestOptions): Promise<HttpAnswer>;
  put(path: string, options?: RequestOptions): Promise<HttpAnswer>;
  patch(path: string, options?: RequestOptions): Promise<HttpAnswer>;
  delete(path: string, options?: RequestOptions): Promise<HttpAnswer>;
  send(method: string, path: string, options?: RequestOptions): Promise<HttpAnswer>;
}

/** Requests to `baseUrl`, each with `headers`; redirects are answers, not followed. */
export function createHttpClient(baseUrl: string, headers: Readonly<Record<string, string>> = {}): HttpClient {
  const send = async (method: string, path: string, options: RequestOptions = {}): Promise<HttpAnswer> => {
    const json = options.json === undefined ? undefined : JSON.stringify(options.json);
    const body = json ?? options.body;
    const response = await fetch(addressOf(baseUrl, path, options.query), {
      method,
      redirect: "manual",
      headers: {
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json<Shape>() {
        return JSON.parse(text) as Shape;
      },
    };
  };
  return {
    send,
    get: (path, options) => send("GET", path, options),
    post: (path, options) => send("POST", path, options),
    put: (path, options) => send("PUT", path, options),
    patch: (path, options) => send("PATCH", path, options),
    delete: (path, options) => send("DELETE", path, options),
  };
}

function addressOf(baseUrl: string, path: string, query: RequestOptions["query"]): string {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined) continue;
    const values = typeof value === "object" ? value : [value];
    for (const each of values) url.searchParams.append(name, String(each));
  }
  return url.href;
}
