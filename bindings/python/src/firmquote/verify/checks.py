"""What a verification returns: named checks, each with its outcome and the values that were compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    """The outcome of a check."""

    PASSED = "passed"
    """What the service says is what was computed here."""
    FAILED = "failed"
    """It is not. Do not send the swap."""
    LOWER = "lower"
    """The amounts are worse for the taker than the formula says, as where the contract of a verified pool would refuse
    the output of the formula. Sound, but for the taker to judge."""
    UNDECIDED = "undecided"
    """Amounts of firm levels that are worse than the formula on the pool data, and no book to compare them with. They
    stand on the service's word alone."""
    SKIPPED = "skipped"
    """The caller gave nothing to compare with; the detail says what. What the service withholds is `FAILED`."""


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison."""

    name: str
    outcome: Outcome
    detail: str
    """The values compared, or what was missing."""

    def __str__(self) -> str:
        return f"{self.name}: {self.outcome.value}: {self.detail}"


class VerificationFailed(Exception):
    """A report has failed checks, or amounts that are lower than the formula or undecided."""

    def __init__(self, report: Report) -> None:
        super().__init__("; ".join(map(str, report.failures + report.lower + report.undecided)))
        self.report = report


@dataclass(frozen=True, slots=True)
class Report:
    """Every check of a verification, in the order in which they were made."""

    checks: tuple[Check, ...]

    def __iter__(self) -> Iterator[Check]:
        return iter(self.checks)

    def __add__(self, other: Report) -> Report:
        return Report(self.checks + other.checks)

    def __getitem__(self, name: str) -> Check:
        """The check of that name.

        Raises:
            KeyError: there is none.
        """
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(name)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return self._with(Outcome.FAILED)

    @property
    def lower(self) -> tuple[Check, ...]:
        """The checks of amounts that are lower than the formula."""
        return self._with(Outcome.LOWER)

    @property
    def undecided(self) -> tuple[Check, ...]:
        """The checks of amounts of firm levels that only the book decides."""
        return self._with(Outcome.UNDECIDED)

    @property
    def skipped(self) -> tuple[Check, ...]:
        """The checks that nothing could be compared with."""
        return self._with(Outcome.SKIPPED)

    def require(self, *, accept_lower: bool = False, accept_undecided: bool = False) -> Report:
        """Returns the report itself.

        Args:
            accept_lower: whether amounts that are lower than the formula's, by any margin, are accepted.
            accept_undecided: whether amounts of firm levels will do that were compared with no book.

        Raises:
            VerificationFailed: a check failed, or amounts are lower or undecided.
        """
        is_refused = (self.lower and not accept_lower) or (self.undecided and not accept_undecided)
        if self.failures or is_refused:
            raise VerificationFailed(self)
        return self

    def _with(self, outcome: Outcome) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.outcome is outcome)


def compare(name: str, found: object, expected: object) -> Check:
    """A check that two values are equal; text is compared in any case, as hex is."""
    one, other = (value.lower() if isinstance(value, str) else value for value in (found, expected))
    if one == other:
        return Check(name, Outcome.PASSED, f"{found}")
    return Check(name, Outcome.FAILED, f"{found} instead of {expected}")


def require(name: str, holds: bool, detail: str) -> Check:
    """A check that something holds."""
    return Check(name, Outcome.PASSED if holds else Outcome.FAILED, detail)


def skipped(name: str, missing: str) -> Check:
    """A check without anything to compare with."""
    return Check(name, Outcome.SKIPPED, missing)
