// A provider of models as a process of its own: every chat is answered after some milliseconds. Prints its port, and on standard input
// `count` asks for the requests so far and the most at once.
const [milliseconds = "20"] = process.argv.slice(2);
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const message = { role: "assistant", content: "Hello world" };
const whole = JSON.stringify({
  id: "1",
  model: "quick",
  choices: [{ index: 0, message, finish_reason: "stop" }],
  usage,
});
const chunks = [
  { choices: [{ index: 0, delta: { role: "assistant", content: "Hello " } }] },
  { choices: [{ index: 0, delta: { content: "world" }, finish_reason: "stop" }] },
  { choices: [], usage },
];
const stream = `${chunks.map((chunk) => `data: ${JSON.stringify({ id: "1", model: "quick", ...chunk })}\n\n`).join("")}data: [DONE]\n\n`;
let [requests, running, mostAtOnce] = [0, 0, 0];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    requests++;
    mostAtOnce = Math.max(mostAtOnce, ++running);
    const body = await request.text();
    await Bun.sleep(Number(milliseconds));
    running--;
    return body.includes('"stream":true')
      ? new Response(stream, { headers: { "content-type": "text/event-stream" } })
      : new Response(whole, { headers: { "content-type": "application/json" } });
  },
});
console.log(server.port);
for await (const line of console) {
  if (line === "count") console.log(JSON.stringify({ requests, mostAtOnce }));
}
