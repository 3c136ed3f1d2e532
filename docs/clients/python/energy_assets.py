"""A client of the energy asset data service for notebooks: this file, and pandas.

    from energy_assets import EnergyAssets

    assets = EnergyAssets("http://127.0.0.1:8080", key)
    assets.frame("/v1/aggregations", groupBy="bundesland", einheitTyp="solar")
    assets.frame("/v1/units", bundesland="Bayern", einheitTyp=["wind", "solar"], fields="plz,bruttoleistungKw")

Parameters are those of the interface. A list becomes a list of the interface, True becomes true, and None is left out.
A parameter that is repeated, such as several regions, is a tuple.
"""

import json
import time
from typing import Any, Iterator, NamedTuple, Optional
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pandas as pd

__all__ = ["EnergyAssets", "Changes", "Incomplete", "Problem"]


class Problem(Exception):
    """What the service refused: `code` says why, `detail` what to do, `fields` which parameters are meant."""

    def __init__(self, status: int, document: dict):
        self.status = status
        self.code = document.get("code", "")
        self.detail = document.get("detail", "")
        self.fields = document.get("errors", [])
        super().__init__(f"{status} {self.code}: {self.detail}")


class Incomplete(Exception):
    """There are rows that no page brings: narrow the list down, raise its limit, or take the dump."""


class Changes(NamedTuple):
    """What a delta brought: rows to replace, numbers to delete, and the token for the next one."""

    rows: pd.DataFrame
    gone: list
    token: str


class EnergyAssets:
    def __init__(self, url: str, key: str, patience: float = 120):
        """`patience` is how many seconds a call may wait for a limit, or for a service that is busy."""
        self.url = url.rstrip("/")
        self.headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        self.patience = patience

    def get(self, path: str, **parameters: Any) -> dict:
        """One answer, as it is. Raises Problem."""
        query = urlencode([pair for name, value in parameters.items() for pair in _pairs(name, value)])
        request = Request(f"{self.url}{path}{'?' + query if query else ''}", headers=self.headers)
        until = time.monotonic() + self.patience
        while True:
            try:
                with urlopen(request, timeout=self.patience) as answer:
                    return json.load(answer)
            except HTTPError as error:
                wait = _seconds(error.headers.get("Retry-After"))
                if error.code not in (429, 503) or wait is None or time.monotonic() + wait > until:
                    raise Problem(error.code, _document(error)) from None
                time.sleep(wait)

    def pages(self, path: str, **parameters: Any) -> Iterator[dict]:
        """The answers of a list, page by page. Raises Problem, and Incomplete after the last page of a list that was cut."""
        while True:
            answer = self.get(path, **parameters)
            yield answer
            meta = answer.get("meta") or {}
            page = meta.get("page") or meta
            more = page.get("hasMore")
            if page.get("truncated") or more and not page.get("cursor"):
                raise Incomplete(f"{path} has more rows than it gives: narrow it down, raise its limit, or take the dump")
            # Lists that never end have a cursor on their last page, too.
            if not more:
                return
            parameters["cursor"] = page["cursor"]

    def frame(self, path: str, **parameters: Any) -> pd.DataFrame:
        """All rows of a list or analysis. Postal codes and keys stay texts. `.attrs['meta']` has what the answer says about itself."""
        rows, meta = [], {}
        for answer in self.pages(path, **parameters):
            rows += _rows(answer["data"])
            meta = answer.get("meta", {})
        frame = pd.DataFrame(rows)
        frame.attrs["meta"] = meta
        return frame

    def changes(self, token: str, **parameters: Any) -> Changes:
        """What has changed in GET /v1/units since a token, which `frame(...).attrs['meta']['sync']['token']` is the first of.

        Problem with status 410: the token holds no more, so read everything again.
        """
        frame = self.frame("/v1/units", syncToken=token, **parameters)
        gone = frame["geloescht"].eq(True) if "geloescht" in frame else pd.Series(False, index=frame.index)
        following = frame.attrs["meta"]["sync"]["token"]
        numbers = frame.loc[gone, "mastrNummer"].tolist() if len(frame) else []
        return Changes(frame[~gone].drop(columns="geloescht", errors="ignore"), numbers, following)


def _rows(data: Any) -> list:
    """A list, the groups of an aggregation beside their totals, or one object."""
    if isinstance(data, dict):
        return next((value for value in data.values() if isinstance(value, list)), [data])
    return data


def _pairs(name: str, value: Any) -> list:
    if value is None:
        return []
    if isinstance(value, tuple):
        return [pair for one in value for pair in _pairs(name, one)]
    if isinstance(value, list):
        return [(name, ",".join(_quoted(_text(one)) for one in value))]
    return [(name, _text(value))]


def _quoted(item: str) -> str:
    """One value of a list, whatever commas it has."""
    if "," not in item and '"' not in item:
        return item
    return '"' + item.replace('"', '""') + '"'


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seconds(header: Optional[str]) -> Optional[float]:
    try:
        return max(0.0, float(header)) if header is not None else None
    except ValueError:
        return None


def _document(error: HTTPError) -> dict:
    try:
        document = json.load(error)
    except ValueError:
        return {"detail": error.reason}
    return document if isinstance(document, dict) else {}
