"""Serve gRPC over TLS as a gateway does, with a certificate made for these tests alone: it is good for 100 years."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc

CERTIFICATE = b"""\
-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUMyAlocuLZ0qIk83RcILLDcqkNIwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDA4MjQwOFoYDzIxMjYxMTA2
MDgyNDA4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATvh0w2Xiw6ogIZQV9IE85fkZ4it4ZSMemDP0BjInkucVudRMPgNTYC
zCL8ynGi3AtVt50Gv2R6rWNVbd0/KUiIo28wbTAdBgNVHQ4EFgQUwNW4EODkfs50
7RV10iLorcpgN14wHwYDVR0jBBgwFoAUwNW4EODkfs507RV10iLorcpgN14wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgKMM7eW+l/rnQnDS2IgqaW44i4RP0ov4KieSt1jCNzAMCIQDg
AL/mwkF+09Z0sfjjyAjh7fFilq3LALaibKK4UtiYEw==
-----END CERTIFICATE-----
"""
KEY = b"""\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsg8iJa+hbSVfSknx
WOAnCEWrgemeEeq5cnecQ3j4hyuhRANCAATvh0w2Xiw6ogIZQV9IE85fkZ4it4ZS
MemDP0BjInkucVudRMPgNTYCzCL8ynGi3AtVt50Gv2R6rWNVbd0/KUiI
-----END PRIVATE KEY-----
"""


@contextmanager
def gateway(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the address of a server without methods, with its scheme, and the file of the authority to trust."""
    authority = folder / "authority.pem"
    authority.write_bytes(CERTIFICATE)
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(KEY, CERTIFICATE)]))
    server.start()
    try:
        yield f"tls://localhost:{port}", authority
    finally:
        server.stop(None).wait()
