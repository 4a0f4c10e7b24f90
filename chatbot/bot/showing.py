"""Makes events of what running tool calls tell."""

import math
from typing import assert_never

from chatbot.bot.equipment import Equipment
from chatbot.bot.news import Begun, Ended, Ordered, Passing, Progress, Said, Step, Told
from chatbot.bot.record import Record
from chatbot.events import (
    AttributionEvent,
    Event,
    ImageEvent,
    ImageProgressEvent,
    TextEvent,
    ToolCallEvent,
    ToolProgressEvent,
    ToolResultEvent,
)
from chatbot.sanitizer import Guard, guard_text, plain_url, write_notice
from chatbot.tools import ToolRun
from chatbot.tools.echo import echo
from chatbot.types import Attribution, Image

SEPARATOR = "\n\n"
PROGRESS_LENGTH = 200


class Showing:
    """Shows the calls of one turn; remembers what has been shown to part and not to repeat it.

    Each text is guarded by itself already; all of them pass one more guard together, because what
    one call leaves open (a fence that only some renderers know) would reach into the next.
    """

    def __init__(self, equipment: Equipment, record: Record) -> None:
        """Nothing is shown yet."""
        self._equipment = equipment
        self._record = record
        self._guard = Guard()
        self._noticed: set[str] = set()
        self._has_text = False  # of any call
        self._speaks = False  # of the call that is being shown

    def pass_on(self, news: Passing) -> Event:
        """The event of news that is shown at once."""
        match news:
            case Begun():
                return self._announce(news)
            case Progress():
                return ToolProgressEvent(
                    **self._record.stamp(),
                    call_id=news.call_id,
                    fraction=_share(news.fraction),
                    text=guard_text(echo(news.text, longest=PROGRESS_LENGTH)),
                )
            case Step():
                return ImageProgressEvent(
                    **self._record.stamp(), call_id=news.call_id, step=news.step, of=news.of
                )
            case _:
                assert_never(news)

    def show(self, news: Ordered) -> list[Event]:
        """The events of news whose turn it is."""
        match news:
            case Ended():
                return [self._end(news)]
            case Said():
                return [self._say(news.text)] if news.text else []
            case Told():
                return self._complete(news)
            case _:
                assert_never(news)

    def _announce(self, news: Begun) -> ToolCallEvent:
        """People read a summary in their own words, also where an argument was translated."""
        call, safety = news.call, self._equipment.safety
        tool = self._equipment.tools.get(call.name)
        return ToolCallEvent(
            **self._record.stamp(),
            call_id=call.call_id,
            tool=call.name,
            title=tool.spec.title,
            arguments=safety.show_fields(call.arguments),
            raw_arguments=safety.show_fields(call.raw_arguments),
            summary=guard_text(safety.show(tool.summarise(news.original.arguments))),
        )

    def _end(self, news: Ended) -> ToolResultEvent:
        outcome = news.run.outcome
        return ToolResultEvent(
            **self._record.stamp(),
            call_id=outcome.call_id,
            status=outcome.status,
            error=None if outcome.error is None else guard_text(outcome.error),
            ms=outcome.ms,
            notices=tuple(map(guard_text, _notices(news.run, news.notices))),
        )

    def _say(self, text: str) -> TextEvent:
        """Words of a call; a blank line parts its first from those of the call before."""
        parted = SEPARATOR + text if self._has_text and not self._speaks else text
        self._has_text = self._speaks = True
        return self._text(parted)

    def _text(self, text: str) -> TextEvent:
        """``text``, already guarded, behind all that was shown before it."""
        return TextEvent(**self._record.stamp(), text=self._guard.feed(text))

    def _complete(self, news: Told) -> list[Event]:
        """Pictures, then notices for clients that see no events, then sources."""
        events: list[Event] = [self._image(image) for image in news.images]
        result = news.run.result
        if result is not None:
            fresh = [
                notice
                for notice in dict.fromkeys(_notices(news.run, news.notices))
                if notice not in self._noticed
            ]
            self._noticed.update(fresh)
            events += [self._notice(notice) for notice in fresh]
            call_id = news.run.outcome.call_id
            events += [self._source(call_id, source) for source in result.attribution]
        self._speaks = False
        return events

    def _notice(self, notice: str) -> TextEvent:
        self._has_text = True
        return self._text(SEPARATOR + guard_text(write_notice(notice)))

    def _image(self, image: Image) -> ImageEvent:
        self._guard.feed(SEPARATOR)  # pictures stand apart from the text around them
        self._has_text = True
        return ImageEvent(
            **self._record.stamp(),
            image_id=image.image_id,
            url=image.url,
            expires_at=image.expires_at,
            alt=guard_text(image.alt),
            width=image.width,
            height=image.height,
        )

    def _source(self, call_id: str, source: Attribution) -> AttributionEvent:
        return AttributionEvent(
            **self._record.stamp(),
            call_id=call_id,
            source=guard_text(source.source),
            title=source.title and guard_text(source.title),
            url=plain_url(source.url) or None,
            licence=source.licence and guard_text(source.licence),
            retrieved_at=source.retrieved_at,
        )


def _notices(run: ToolRun, own: tuple[str, ...]) -> tuple[str, ...]:
    return (*own, *(run.result.notices if run.result is not None else ()))


def _share(fraction: float | None) -> float | None:
    """From 0 to 1, whatever a tool counted; nothing where that is no number."""
    is_number = isinstance(fraction, int | float) and math.isfinite(fraction)
    return min(max(float(fraction), 0.0), 1.0) if is_number and fraction is not None else None
