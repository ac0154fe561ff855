"""An agent of pydantic-ai with a tool, instrumented as its guide says, and a span of logfire around it."""

import logfire
from pydantic_ai import Agent

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_pydantic_ai()
agent = Agent("openai-chat:example-1", system_prompt="Be brief.", name="weather_agent")


@agent.tool_plain
def weather(city: str) -> str:
    """The weather of a city."""
    return f"{city}: rain"


with logfire.span("ask about {city}", city="Malmö", _tags=["guide"]):
    agent.run_sync("How is the weather in Malmö?", metadata={"tier": "gold"}, conversation_id="session-1")
logfire.force_flush()
