from scripted.conversation_cases import ConversationCases
from scripted.paging_cases import PagingCases
from scripted.search_cases import SearchCases


class TestSQLite(ConversationCases):
    """SQLite does all that is asked of a database."""


class TestSearchInSQLite(SearchCases):
    """It finds what was said."""


class TestPagesOfSQLite(PagingCases):
    """It gives it page by page."""
