from scripted.conversation_cases import ConversationCases
from scripted.paging_cases import PagingCases
from scripted.search_cases import SearchCases


class TestConversations(ConversationCases):
    """Every database does all that is asked of it."""


class TestSearch(SearchCases):
    """It finds what was said."""


class TestPages(PagingCases):
    """It gives it page by page."""
