"""`zwrotnica engines profiles`: the shipped profiles, one line each, or one to copy."""

import click

from serving.settings import shipped_profiles, summarise_profile


@click.command("profiles")
@click.argument("name", required=False)
def show_profiles(name: str | None) -> None:
    """List the shipped profiles, or print the file of the profile NAME to copy from."""
    profiles = shipped_profiles()
    if name is None:
        for known, text in profiles.items():
            click.echo(f"{known:<10} {summarise_profile(text)}")
        return
    if name not in profiles:
        raise click.UsageError(f"no profile {name!r} ships; profiles: {', '.join(profiles)}")
    click.echo(profiles[name], nl=False)
