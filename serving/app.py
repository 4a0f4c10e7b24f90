"""The gateway's FastAPI application: routes, services and their lifetime."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import timedelta
from functools import partial
from importlib.metadata import version
from typing import Protocol, TypeAlias

import anyio
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from chatbot.errors import ZwrotnicaError
from serving.assembly import Assembly, assemble, new_id
from serving.auth.accounts import Accounts
from serving.auth.authenticator import Authenticator
from serving.auth.erasure import STRAGGLING, Erasure
from serving.auth.keys import Keys
from serving.auth.opening import open_authenticator
from serving.auth.signing_in.opening import Entrances, open_sign_ins
from serving.billing import Billing, open_billing
from serving.billing.store import KEY_LIFE
from serving.clock import SystemClock
from serving.gateway.admission import Admission
from serving.gateway.conversations.live import LiveAnswers
from serving.gateway.conversations.surroundings import Surroundings
from serving.gateway.erasing import Erasing
from serving.gateway.openapi import DocumentedApp
from serving.gateway.route_table import OPENAPI, ROUTES
from serving.gateway.served_routes import serve_routes
from serving.gateway.services import Services
from serving.gateway.sign_in.entry import PageEntry
from serving.http.errors import respond_to_error
from serving.http.request_scope import RequestScope
from serving.http.tracing import make_tracer
from serving.limits import open_pacer
from serving.page import PageLife, WebPage
from serving.settings import Settings
from serving.storage.ageing import open_log, open_requests, open_spendings
from serving.storage.calls import CallStore
from serving.storage.conversations import Conversations
from serving.storage.database import Database, open_database
from serving.storage.kept_replies import KeptReplies
from serving.storage.retention import Retention
from serving.telemetry import (
    AccessLog,
    EngineWatch,
    Metrics,
    Snapshots,
    access_folder,
    metrics_folder,
    watch_memory,
)


class Layer(AbstractAsyncContextManager[object], Protocol):
    """What stands between clients and routes, knows each request's id, and lives as the app."""

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """The application with the layer around it."""
        ...


OpenAssembly: TypeAlias = Callable[[Settings], AbstractAsyncContextManager[Assembly]]

DESCRIPTION = "A chatbot in Polish that switches each message to a tool or to a language model."


def make_page(settings: Settings, *, process: PageLife | None = None) -> WebPage | None:
    """The web chat, at every path that no route of ours owns; ``None`` where it is switched off.

    ``process``: the page's, where somebody else runs it.
    """
    if not settings.page.enabled:
        return None
    owned = (OPENAPI, *(route.path for route in ROUTES))
    return WebPage(settings, owned=owned, process=process)


def create_app(
    settings: Settings,
    *,
    open_assembly: OpenAssembly | None = None,
    page: WebPage | None = None,
    metrics: Metrics | None = None,
    layer: Layer | None = None,
    keeps_figures: bool = True,
) -> FastAPI:
    """The application; its services, ``page`` and ``layer``, if any, live with its lifespan.

    ``keeps_figures``: of several processes with the same figures only one writes them to the disk.
    ``app.state.admission`` is there from the start, so that whoever runs the server can drain it.
    """
    metrics = metrics or Metrics()
    tracer = make_tracer(settings.telemetry, on_drop=metrics.count_dropped)
    access = _make_access_log(settings)
    admission = Admission(max_turns=settings.limits.turns, metrics=metrics, clock=SystemClock())
    opened = open_assembly or _telling(metrics)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            tracer or nullcontext(),
            access or nullcontext(),
            opened(settings) as assembly,
            open_services(assembly, admission=admission, metrics=metrics) as services,
            page or nullcontext(),
            _probed(assembly),
            layer or nullcontext(),
            _kept(assembly, metrics if keeps_figures else None),
            _measured(metrics),
        ):
            app.state.services = services
            assembly.warm()
            yield

    app = DocumentedApp(
        title="Zwrotnica",
        description=DESCRIPTION,
        version=version("zwrotnica"),
        lifespan=lifespan,
    )
    app.state.admission = admission
    _add_routes(app, page)
    for kind in (ZwrotnicaError, HTTPException):
        app.add_exception_handler(kind, respond_to_error)
    if layer is not None:
        app.add_middleware(layer.wrap)
    app.add_middleware(RequestScope, metrics=metrics, new_id=new_id, tracer=tracer, access=access)
    return app


def _make_access_log(settings: Settings) -> AccessLog | None:
    if not settings.log.access:
        return None
    folder = access_folder(settings.data_dir.absolute())
    return AccessLog(settings.log, folder=folder, now=SystemClock().now)


def _telling(metrics: Metrics) -> OpenAssembly:
    """An assembly that tells ``metrics`` of its engines and of sensitive content."""
    return partial(
        assemble,
        alarm=metrics.count_oddity,
        watch=EngineWatch(metrics),
        on_find=metrics.count_find,
    )


def _add_routes(app: FastAPI, page: WebPage | None) -> None:
    """Every route; what none of them owns is the ``page``'s.

    It is the router's default and not a route for every path, which would match what has another
    method on a path of ours and so hide the 405.
    """
    app.router.routes.extend(serve_routes(has_home=page is None))
    if page is not None:
        app.router.default = PageEntry(page)


@asynccontextmanager
async def open_services(
    assembly: Assembly, *, admission: Admission, metrics: Metrics
) -> AsyncIterator[Services]:
    """What routes work with; the answers that still run are ended before the database is closed."""
    settings, clock = assembly.settings, assembly.clock
    async with open_database(settings.storage, settings.data_dir) as database:
        calls = CallStore(database, clock=clock, settings=settings.storage)
        accounts = Accounts(database, clock=clock, new_id=new_id)
        async with (
            open_authenticator(
                settings, database, keyring=assembly.keyring, clock=clock, accounts=accounts
            ) as authenticator,
            _open_billing(assembly, metrics) as billing,
            open_answers(
                assembly, database, admission=admission, metrics=metrics, billing=billing
            ) as (around, live),
            _swept(
                assembly, database, calls, (around, live), metrics=metrics, accounts=authenticator
            ) as erasing,
            open_pacer(settings, clock=clock, on_alone=metrics.alone.inc) as pacer,
        ):
            yield Services(
                settings=settings,
                chatbot=assembly.chatbot,
                engines=assembly.engines,
                images=assembly.images,
                keyring=assembly.keyring,
                admission=admission,
                metrics=metrics,
                clock=clock,
                new_id=new_id,
                database=database,
                conversations=around.conversations,
                calls=calls,
                live=live,
                authenticator=authenticator,
                accounts=accounts,
                keys=Keys(database, keyring=assembly.keyring, clock=clock),
                entrances=_open_entrances(assembly, database),
                billing=billing,
                pacer=pacer,
                erasing=erasing,
                image_engine=assembly.image_engine,
            )


def _open_entrances(assembly: Assembly, database: Database) -> Entrances:
    auth = assembly.settings.auth
    return open_sign_ins(auth, database, assembly.keyring, assembly.clock, new_id=new_id)


def _open_billing(assembly: Assembly, metrics: Metrics) -> AbstractAsyncContextManager[Billing]:
    return open_billing(
        assembly.settings,
        clock=assembly.clock,
        new_id=new_id,
        observe=metrics.ledger_seconds.observe,
    )


@asynccontextmanager
async def open_answers(
    assembly: Assembly,
    database: Database,
    *,
    admission: Admission,
    metrics: Metrics,
    billing: Billing,
) -> AsyncIterator[tuple[Surroundings, LiveAnswers]]:
    """The answers of the Chat API."""
    around = _surround(assembly, database, admission=admission, metrics=metrics, billing=billing)
    async with LiveAnswers(around) as live:
        yield around, live


def _surround(
    assembly: Assembly,
    database: Database,
    *,
    admission: Admission,
    metrics: Metrics,
    billing: Billing,
) -> Surroundings:
    """What answers of the Chat API are made with."""
    settings = assembly.settings
    conversations = Conversations(
        database,
        clock=assembly.clock,
        new_id=new_id,
        images=assembly.images,
        limits=settings.chat,
        storage=settings.storage,
    )
    return Surroundings(
        settings=settings,
        chatbot=assembly.chatbot,
        conversations=conversations,
        admission=admission,
        metrics=metrics,
        billing=billing,
        clock=assembly.clock,
        new_id=new_id,
    )


@asynccontextmanager
async def _probed(assembly: Assembly) -> AsyncIterator[None]:
    """The servers of engines are looked after meanwhile."""
    async with anyio.create_task_group() as group:
        group.start_soon(assembly.probe)
        yield
        group.cancel_scope.cancel()


@asynccontextmanager
async def _swept(
    assembly: Assembly,
    database: Database,
    calls: CallStore,
    answers: tuple[Surroundings, LiveAnswers],
    *,
    metrics: Metrics,
    accounts: Authenticator,
) -> AsyncIterator[Erasing]:
    """What has been kept long enough is deleted meanwhile, and persons who are to be deleted."""
    settings = assembly.settings
    around, live = answers
    erasure = Erasure(
        database,
        conversations=around.conversations,
        images=assembly.images,
        clock=around.clock,
        grace=timedelta(seconds=settings.turn.turn_s) + STRAGGLING,
    )
    erasing = Erasing(erasure, live=live, accounts=accounts, poll_s=settings.auth.poll_s)
    replies = KeptReplies(database, life=KEY_LIFE)
    retention = Retention(
        sweeps={
            "conversations": around.conversations.sweep,
            "calls": calls.sweep,
            "replies": replies.sweep,
            "idempotency_keys": replies.sweep_keys,
            "pictures": assembly.images.sweep,
            "audit": open_log(database, settings.storage).sweep,
            "requests": open_requests(database, settings.storage).sweep,
            "spendings": open_spendings(database, settings.storage).sweep,
            "accounts": erasing.sweep,
        },
        clock=around.clock,
        settings=settings.storage,
        count=metrics.count_swept,
    )
    async with anyio.create_task_group() as group:
        group.start_soon(retention.run)
        group.start_soon(erasing.watch)
        yield erasing
        group.cancel_scope.cancel()


@asynccontextmanager
async def _kept(assembly: Assembly, metrics: Metrics | None) -> AsyncIterator[None]:
    """The figures are written to the disk meanwhile, if at all."""
    settings = assembly.settings
    if metrics is None or not settings.telemetry.snapshot_s:
        yield
        return
    folder = metrics_folder(settings.data_dir)
    snapshots = Snapshots(
        metrics, folder=folder, settings=settings.telemetry, now=assembly.clock.now
    )
    async with anyio.create_task_group() as group:
        group.start_soon(snapshots.run)
        yield
        group.cancel_scope.cancel()


@asynccontextmanager
async def _measured(metrics: Metrics) -> AsyncIterator[None]:
    """The memory of this process is told meanwhile."""
    async with anyio.create_task_group() as group:
        group.start_soon(watch_memory, metrics.memory)
        yield
        group.cancel_scope.cancel()
