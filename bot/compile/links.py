"""What people pointed to outside the community's own places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from bot.compile.addresses import addresses_in, is_elsewhere, same_address
from bot.model.edition import SharedLink
from bot.model.messages import Message

MOST = 12


def shared_links(
    messages: Sequence[Message],
    *,
    repositories: Collection[str],
    name_of: Callable[[Message], str],
    channel_name: Callable[[int], str],
) -> tuple[SharedLink, ...]:
    """The addresses in these messages that lead elsewhere, each once, with the title that Discord found."""
    found: dict[str, SharedLink] = {}
    for message in messages:
        for address in addresses_in(message.content):
            key = address.rstrip("/").lower()
            if key in found or not is_elsewhere(address, repositories):
                continue
            title = next((p.title for p in message.previews if same_address(p.url, address) and p.title), None)
            found[key] = SharedLink(
                url=address,
                title=title,
                channel=channel_name(message.channel_id),
                author=name_of(message),
                message_id=message.message_id,
                author_id=message.author_id,
            )
    return tuple(found.values())[:MOST]
