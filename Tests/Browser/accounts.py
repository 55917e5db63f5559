"""The accounts that both identity providers have, and what their claims say."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Account:
    """An account of the institution: a login, and the claims that the page makes roles of."""

    login: str
    name: str
    groups: tuple
    number: str = ""
    # The role that the matcher's configuration makes of the groups.
    role: str = ""

    @property
    def claims(self):
        number = {"student_number": self.number} if self.number else {}
        return {"name": self.name, "groups": list(self.groups)} | number


# Values of the claim `groups`, by role.
GROUPS = {
    "officer": "health-officers",
    "lecturer": "lecturers",
    "operator": "building-operators",
    "student": "students",
    "auditor": "auditors",
}

# Everybody is in a second group, which isn't in the configuration: the claim is an array of several values.
ACCOUNTS = {
    account.login: account
    for account in (
        Account("olga", "Olga Novak", (GROUPS["officer"], "everybody"), role="officer"),
        # A second officer, who is not the first one with the role.
        Account("omar", "Omar Haddad", (GROUPS["officer"], "everybody"), role="officer"),
        Account("lars", "Lars Berg", (GROUPS["lecturer"], "everybody"), "4711", role="lecturer"),
        Account("otto", "Otto Klein", (GROUPS["operator"], "everybody"), role="operator"),
        Account("stella", "Stella Martin", (GROUPS["student"], "everybody"), "1001", role="student"),
        Account("aud", "Audrey Stone", (GROUPS["auditor"], "everybody"), role="auditor"),
        Account("max", "Max Nobody", ("everybody",)),
    )
}


def with_role(role):
    """The account that has this role; the role "" is that of an account without one."""
    return next(account for account in ACCOUNTS.values() if account.role == role)
