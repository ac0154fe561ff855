// The start configuration that the server wrote into the page.
import { START_ELEMENT, type StartConfiguration } from "../start.ts";

function read(): StartConfiguration {
  const text = document.getElementById(START_ELEMENT)?.textContent;
  if (!text) throw new Error("The page holds no start configuration");
  return JSON.parse(text) as StartConfiguration;
}

export const start: StartConfiguration = read();
