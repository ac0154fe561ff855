"""An agent of OpenAI's Agents SDK with a tool, instrumented by logfire."""

import logfire
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_export_api_key
from openai import AsyncOpenAI

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_openai_agents()
logfire.instrument_openai()


@function_tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"{city}: rain"


model = OpenAIChatCompletionsModel("example-1", openai_client=AsyncOpenAI())
agent = Agent(name="weather_agent", instructions="Be brief.", model=model, tools=[weather])
Runner.run_sync(agent, "How is the weather in Malmö?")
logfire.force_flush()
