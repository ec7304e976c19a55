"""Start the service: ``python -m helpdesk``. Port 0 takes a free one; the first line says which."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket

import uvicorn

from helpdesk.app import create_app


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m helpdesk", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    # What the service writes holds the questions of customers: nobody else on the machine may read it.
    os.umask(0o077)
    app = create_app()
    # The protocol is named: only then does asyncio switch TCP_NODELAY on, without which a reply takes 40 ms.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((options.host, options.port))
        except OSError as error:
            raise SystemExit(
                f"{options.host}:{options.port}: {error.strerror}; choose another --port"
            ) from None
        listening.listen(128)  # who connects from here on is answered as soon as the engine is loaded
        host, port = listening.getsockname()
        print(f"listening on http://{host}:{port}", flush=True)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how it is stopped
            server.run(sockets=[listening])


if __name__ == "__main__":
    main()
