// Entry of the pages: the providers around the router, and the first page's script asked for before anything is drawn.
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { watchFocus } from "./kit/keep-focus.ts";
import { TooltipProvider } from "./kit/Tooltip.tsx";
import { watchWork } from "./lib/at-work.ts";
import { watchConnection } from "./lib/connection.ts";
import { holdKeys, watchHeldKeys } from "./lib/held-keys.ts";
import { createQueryClient } from "./lib/queries.ts";
import { start } from "./lib/start.ts";
import { followSystemTheme } from "./lib/theme.ts";
import { aroundNavigation, watchLeaving } from "./lib/unsaved.ts";

import { preloadPage } from "./pages/pages.ts";
import { pageAt } from "./router.tsx";
import { Shell } from "./shell/Shell.tsx";

// A server that is reached beside its proxy answers without the prefix too; inside the page every address has it.
if (start.basePath !== "" && !location.pathname.startsWith(`${start.basePath}/`)) {
  history.replaceState(null, "", start.basePath + location.pathname + location.search + location.hash);
}
const first = pageAt(location.pathname.slice(start.basePath.length));
followSystemTheme();
watchConnection();
watchWork();
watchLeaving();
watchFocus();
watchHeldKeys();
const releaseKeys = holdKeys();

/** Milliseconds that the shell waits for the script of its page; then it comes first, with a skeleton. */
const MAXIMUM_DELAY_MS = 400;

/** Drawn for the first time: from here on, what is still on its way holds the keys. */
function Begun() {
  useEffect(releaseKeys, []);
  return null;
}

function draw(): void {
  const root = document.getElementById("root");
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <Router base={start.basePath} aroundNav={aroundNavigation}>
          <TooltipProvider>
            <Shell />
            <Begun />
          </TooltipProvider>
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}

const maximumDelay = new Promise<void>((resolve) => setTimeout(resolve, MAXIMUM_DELAY_MS));
// Load errors are rendered in place of the page.
void Promise.race([first === null ? undefined : preloadPage(first), maximumDelay]).then(draw, draw);
