"""Signing in by an OpenID Connect provider: authorization code with PKCE, state and nonce."""
