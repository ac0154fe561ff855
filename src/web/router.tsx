// Address → page. The first address of the table that fits wins.
import { Suspense } from "react";
import { Route, useLocation } from "wouter";
import { addresses, type PageName } from "./declared-pages.ts";
import { Skeleton } from "./kit/States.tsx";
import { HoldKeys } from "./lib/held-keys.ts";
import { patternOf } from "./lib/links.ts";
import { componentOf } from "./pages/pages.ts";
import { NotFoundPage } from "./shell/NotFoundPage.tsx";
import { PageBoundary } from "./shell/PageBoundary.tsx";

const names = Object.keys(addresses) as PageName[];
const expressions = names.map((name) => ({
  name,
  expression: new RegExp(`^${addresses[name].replace(/\{\w+\}/g, "[^/]+")}/?$`),
}));

/** The page of a path below the root path. */
export function pageAt(path: string): PageName | null {
  return expressions.find(({ expression }) => expression.test(path === "" ? "/" : path))?.name ?? null;
}

export function CurrentPage() {
  const [path] = useLocation();
  const name = pageAt(path);
  if (name === null) return <NotFoundPage />;
  const Page = componentOf(name);
  return (
    <PageBoundary path={path}>
      <Suspense fallback={<WaitingPage />}>
        {/* One route for all, so that two addresses with the same component keep its state. */}
        <Route path={patternOf(name)}>
          <Page />
        </Route>
      </Suspense>
    </PageBoundary>
  );
}

function WaitingPage() {
  return (
    <>
      <HoldKeys />
      <Skeleton lines={6} />
    </>
  );
}
