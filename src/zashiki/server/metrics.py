"""What the server counts and measures, for Prometheus. Each process tells of itself.

Everything on the path of an action is bound to its labels beforehand and costs about a microsecond.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from zashiki import __version__

MEDIA_TYPE = "text/plain; version=0.0.4"

SOON = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.008, 0.012, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Seconds, for what people wait for."""
LONG = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds, for thinking."""
SIZES = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987)


class Metrics:
    """The measures of one process, in a registry of their own."""

    def __init__(self, process: str = "") -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        Info("zashiki", "This server", registry=registry).info({"version": __version__, "process": process})

        self.connections = Gauge("zashiki_connections", "Open sockets", registry=registry)
        self._requests = Counter("zashiki_socket_requests", "Requests over the socket", ["kind", "answer"], registry=registry)
        self._http = Counter("zashiki_http_requests", "Requests over HTTP", ["method", "route", "status"], registry=registry)
        self._http_seconds = Histogram(
            "zashiki_http_request_seconds", "From a request to its answer", ["method", "route"], registry=registry, buckets=SOON
        )
        self._group_seconds = Histogram("zashiki_store_group_seconds", "A group commit", registry=registry, buckets=SOON)
        self._group_size = Histogram("zashiki_store_group_size", "Writes in a group commit", registry=registry, buckets=SIZES)
        self._thinking = Histogram("zashiki_bot_thinking_seconds", "A bot's decision", ["level"], registry=registry, buckets=LONG)
        self._watchdog = Counter("zashiki_bot_rescues", "Decisions that the watchdog made", registry=registry)
        self._pushes = Counter("zashiki_push", "Notifications to push services", ["result"], registry=registry)
        self._children: dict[tuple[str, ...], Counter | Histogram] = {}
        self._watched = _Watched()
        registry.register(self._watched)

    def watch_tables(self, count: Callable[[], Mapping[str, int]]) -> None:
        """How many tables of each status are in memory, asked for when somebody reads the measures."""
        self._watched.tables = count

    def watch_bots(self, waiting: Callable[[], int]) -> None:
        """How many decisions wait for a thread, asked for when somebody reads the measures."""
        self._watched.bots = waiting

    def action(self, game: str, seconds: float) -> None:
        """An action is durable and was told to everybody, so long after it came."""
        counts = self._watched.actions.get(game)
        if counts is None:
            counts = self._watched.actions[game] = [0] * (len(SOON) + 1)
        counts[bisect_left(SOON, seconds)] += 1
        self._watched.action_seconds += seconds

    def request(self, kind: str, answer: str) -> None:
        """A request over the socket was answered: `done`, or a refusal's code."""
        self._counter(self._requests, "requests", kind, answer).inc()

    def http(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request over HTTP was answered. `route` is one of ours, never what the client wrote."""
        self._counter(self._http, "http", method, route, str(status)).inc()
        self._histogram(self._http_seconds, "http seconds", method, route).observe(seconds)

    def group(self, size: int, seconds: float) -> None:
        """The store has committed a group: `store.observe`."""
        self._group_size.observe(size)
        self._group_seconds.observe(seconds)

    def thought(self, level: str, seconds: float) -> None:
        """A bot has decided."""
        self._histogram(self._thinking, "thinking", level).observe(seconds)

    def rescued(self) -> None:
        """A bot was too slow or failed, and the watchdog decided."""
        self._watchdog.inc()

    def pushed(self, result: str) -> None:
        """A notification was `sent`, `failed`, was `dropped` because too many waited, or its subscription was `gone`."""
        self._counter(self._pushes, "push", result).inc()

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)

    def _counter(self, metric: Counter, *labels: str) -> Counter:
        child = self._children.get(labels)
        if child is None:
            child = self._children[labels] = metric.labels(*labels[1:])
        return child  # type: ignore[return-value]  # the first label names the metric

    def _histogram(self, metric: Histogram, *labels: str) -> Histogram:
        child = self._children.get(labels)
        if child is None:
            child = self._children[labels] = metric.labels(*labels[1:])
        return child  # type: ignore[return-value]  # the first label names the metric


class _Watched(Collector):
    """What is asked for only when somebody reads."""

    def __init__(self) -> None:
        # Counted by hand: a histogram's own lock would be the dearest part of an action.
        self.actions: dict[str, list[int]] = {}
        self.action_seconds = 0.0
        self.tables: Callable[[], Mapping[str, int]] = dict
        self.bots: Callable[[], int] = int

    def collect(self) -> Iterator[Metric]:
        totals = [sum(column) for column in zip(*self.actions.values(), strict=True)] or [0] * (len(SOON) + 1)
        buckets = list(zip([*map(str, SOON), "+Inf"], accumulate(totals), strict=True))
        meaning = "From the receipt of an action to its durable broadcast"
        yield HistogramMetricFamily("zashiki_action_seconds", meaning, buckets=buckets, sum_value=self.action_seconds)
        actions = CounterMetricFamily("zashiki_actions", "Actions carried out", labels=["game"])
        for game, counts in self.actions.items():
            actions.add_metric([game], sum(counts))
        yield actions
        yield _family("zashiki_tables", "Tables in memory", "status", self.tables().items())
        yield GaugeMetricFamily("zashiki_bot_queue", "Decisions that wait for a thread", value=self.bots())
        blocks = "Pieces of memory that Python's objects hold; what else is resident is free, or not Python's"
        yield GaugeMetricFamily("zashiki_python_blocks", blocks, value=sys.getallocatedblocks())


def _family(name: str, meaning: str, label: str, values: Iterable[tuple[str, int]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for value, count in values:
        family.add_metric([value], count)
    return family
