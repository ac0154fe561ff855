// Every address that opens a page, below the root path. The server answers these with the page and all others with 404; the
// router shows, for each, the page that is registered under the same name (`web-ui.md` 7.2). Only add what has a page.

export const addresses = {
  home: "/",
  projects: "/projects",
  traces: "/projects/{projectId}/traces",
  trace: "/projects/{projectId}/traces/{traceId}",
  spans: "/projects/{projectId}/spans",
  traceOfSpan: "/projects/{projectId}/spans/{traceId}",
} as const;

export type PageName = keyof typeof addresses;
