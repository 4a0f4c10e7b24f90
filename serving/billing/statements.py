"""The ledger's hot writes in plain SQL, which SQLite and PostgreSQL read alike."""

from typing import Final

from sqlalchemy import TextClause, bindparam, text

from serving.storage.columns import Moment


def _with_moments(statement: str, *names: str) -> TextClause:
    return text(statement).bindparams(*(bindparam(name, type_=Moment()) for name in names))


RESERVE: Final = _with_moments(
    """
    INSERT INTO requests (
        entry_id, request_id, owner, key_id, model, path, state, created_at, day,
        reserved, reserved_tokens, reserved_images, group_ids,
        charged, price_version, idempotency_key, payload_hash, message_id, writer
    ) VALUES (
        :entry_id, :request_id, :owner, :key_id, :model, :path, 'reserved', :created_at, :day,
        :reserved, :reserved_tokens, :reserved_images, :group_ids,
        0, :price_version, :idempotency_key, :payload_hash, :message_id, :writer
    )
    ON CONFLICT (owner, idempotency_key) DO NOTHING
    """,
    "created_at",
)

WRITE_LEG: Final = text(
    """
    INSERT INTO legs (
        entry_id, number, engine, role, prompt_tokens, completion_tokens, images,
        source, amount, payer, ms
    )
    SELECT entry_id, :number, :engine, :role, :prompt_tokens, :completion_tokens, :images,
        :source, :amount, :payer, :ms
    FROM requests WHERE entry_id = :entry_id AND state = 'reserved'
    ON CONFLICT (entry_id, number) DO UPDATE SET
        engine = excluded.engine, role = excluded.role,
        prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens,
        images = excluded.images, source = excluded.source, amount = excluded.amount,
        payer = excluded.payer, ms = excluded.ms
    """
)
"""Nothing is added to a request that is settled already."""

SETTLE: Final = _with_moments(
    """
    UPDATE requests SET
        state = :state, settled_at = :settled_at, charged = :charged,
        finish = :finish, error = :error,
        idempotency_key = CASE WHEN :keeps_key = 1 THEN idempotency_key END,
        payload_hash = CASE WHEN :keeps_key = 1 THEN payload_hash END
    WHERE entry_id = :entry_id AND state = 'reserved'
    """,
    "settled_at",
)

LEFT_OPEN: Final = text("SELECT entry_id, writer FROM requests WHERE state = 'reserved'")

RECOVER: Final = _with_moments(
    """
    UPDATE requests SET
        state = CASE WHEN EXISTS (SELECT 1 FROM legs WHERE legs.entry_id = requests.entry_id)
            THEN 'settled' ELSE 'void' END,
        charged = COALESCE((
            SELECT SUM(amount) FROM legs
            WHERE legs.entry_id = requests.entry_id AND payer = 'user'
        ), 0),
        settled_at = :settled_at, finish = 'failed', error = :error,
        idempotency_key = NULL, payload_hash = NULL
    WHERE entry_id = :entry_id AND state = 'reserved'
    """,
    "settled_at",
)

REOPEN: Final = text(
    """
    UPDATE requests SET
        state = 'reserved', charged = 0, settled_at = NULL, finish = NULL, error = NULL
    WHERE entry_id = :entry_id AND error = 'crashed'
    """
)
"""What was ended for a writer that settles it all the same."""

FIND_KEY: Final = text(
    """
    SELECT requests.entry_id, requests.state, requests.payload_hash, requests.message_id,
        kept_replies.media_type, kept_replies.body
    FROM requests LEFT JOIN kept_replies
        ON kept_replies.entry_id = requests.entry_id AND requests.payload_hash = :payload_hash
    WHERE requests.owner = :owner AND requests.idempotency_key = :idempotency_key
    """
)
"""Nobody is shown the reply to another payload."""

KEEP_REPLY: Final = text(
    """
    INSERT INTO kept_replies (entry_id, owner, created_at, media_type, size, body)
    SELECT entry_id, owner, created_at, :media_type, :size, :body FROM requests
    WHERE entry_id = :entry_id AND state = 'reserved' AND idempotency_key IS NOT NULL
    """
)

MAKE_ROOM: Final = text(
    """
    DELETE FROM kept_replies WHERE entry_id IN (
        SELECT entry_id FROM (
            SELECT entry_id, SUM(size) OVER newest_first AS total,
                ROW_NUMBER() OVER newest_first AS place
            FROM kept_replies
            WHERE owner IN (SELECT owner FROM requests WHERE entry_id IN :entry_ids)
            WINDOW newest_first AS (PARTITION BY owner ORDER BY created_at DESC, entry_id DESC)
        ) AS added_up
        WHERE total > :room OR place > :most
    )
    """
).bindparams(bindparam("entry_ids", expanding=True))
"""The oldest replies of an owner go first."""

FREE_OLD_KEY: Final = _with_moments(
    """
    UPDATE requests SET idempotency_key = NULL, payload_hash = NULL
    WHERE owner = :owner AND idempotency_key = :idempotency_key
        AND state <> 'reserved' AND created_at < :before
    """,
    "before",
)

_RESERVED: Final = """
    SELECT entry_id, owner, group_ids, day, path, reserved_tokens, reserved_images, reserved
    FROM requests WHERE entry_id IN ({ids})
    """
OPEN: Final = f"{_RESERVED} AND state = 'reserved'"
ENDED_UNSETTLED: Final = f"{_RESERVED} AND error = 'crashed'"

USED_BY: Final = """
    SELECT entry_id,
        SUM(prompt_tokens + completion_tokens) AS tokens, SUM(images) AS images,
        SUM(amount) AS amount, 0 AS running
    FROM legs WHERE payer = 'user' AND entry_id IN ({ids}) GROUP BY entry_id
    """

COUNTED: Final = text(
    """
    SELECT tokens, images, amount, running FROM spendings
    WHERE subject = :subject AND period = :period
    """
)

COUNT: Final = text(
    """
    UPDATE spendings
    SET tokens = tokens + :tokens, images = images + :images, amount = amount + :amount,
        running = running + :running
    WHERE subject = :subject AND period = :period
    """
)
"""Nothing where nobody has asked for the sum yet."""

BEGIN_COUNT: Final = text(
    """
    INSERT INTO spendings (subject, period, tokens, images, amount, running)
    VALUES (:subject, :period, :tokens, :images, :amount, :running)
    """
)

COUNTED_OF: Final = """
    SELECT subject, tokens, images, amount, running FROM spendings
    WHERE period = :period AND subject IN ({ids})
    """

_ADD_UP: Final = """
    SELECT subject, SUM(used.tokens) AS tokens, SUM(used.images) AS images,
        SUM(used.amount) AS amount, 0 AS running
    FROM (
        SELECT {subject} AS subject, SUM(prompt_tokens + completion_tokens) AS tokens,
            SUM(legs.images) AS images, SUM(legs.amount) AS amount
        FROM requests JOIN legs ON legs.entry_id = requests.entry_id
        WHERE {whose} AND requests.day >= :first AND requests.day <= :last
            AND requests.state = 'settled' AND legs.payer = 'user'
        GROUP BY {subject}
        UNION ALL
        SELECT {subject}, SUM(reserved_tokens), SUM(reserved_images), SUM(reserved)
        FROM requests
        WHERE {whose} AND day >= :first AND day <= :last AND state = 'reserved'
        GROUP BY {subject}
    ) AS used
    GROUP BY subject
    """

_COUNT_RUNNING: Final = """
    SELECT {subject} AS subject, 0 AS tokens, 0 AS images, 0 AS amount, COUNT(*) AS running
    FROM requests WHERE {whose} AND state = 'reserved' AND path NOT IN ('route', 'title')
    GROUP BY {subject}
    """
_OWNERS: Final = {"subject": "requests.owner", "whose": "requests.owner IN ({ids})"}
_A_GROUP: Final = {
    "subject": "requests.group_ids",
    "whose": "' ' || requests.group_ids || ' ' LIKE '% ' || :group_id || ' %'",
}
_GROUPS: Final = {"subject": "requests.group_ids", "whose": "requests.group_ids <> ''"}

ADD_UP_OWNERS: Final = _ADD_UP.format(**_OWNERS)
ADD_UP_GROUP: Final = text(_ADD_UP.format(**_A_GROUP))
ADD_UP_GROUPS: Final = text(_ADD_UP.format(**_GROUPS))
COUNT_RUNNING_OF_OWNERS: Final = _COUNT_RUNNING.format(**_OWNERS)
COUNT_RUNNING_OF_GROUP: Final = text(_COUNT_RUNNING.format(**_A_GROUP))
COUNT_RUNNING_OF_GROUPS: Final = text(_COUNT_RUNNING.format(**_GROUPS))
"""What was used and reserved from one day to another, of all rows; the subject of groups are all
ids of a row, for one group among them or for every row that has any."""

KEEP_PRICES: Final = _with_moments(
    """
    INSERT INTO price_lists (price_version, prices, first_used_at)
    VALUES (:price_version, :prices, :first_used_at)
    ON CONFLICT (price_version) DO NOTHING
    """,
    "first_used_at",
)
