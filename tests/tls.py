"""Serve gRPC over TLS as a gateway does, with a certificate made for these tests alone, good from 2020 to 2120."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc

CERTIFICATE = b"""\
-----BEGIN CERTIFICATE-----
MIIBejCCASCgAwIBAgIULpXZOVo1s/vgaDU47epmZMdrSd0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATTVPFaoD5MeNfRL1XEZD0J687t4H6ipSyYLaUsSkS9+eR3fu9N53q8
WRMsVYHG2dRhdkM5zsfXkp+FSMVMFWQfo04wTDAdBgNVHQ4EFgQUipswFdtXZMFe
JFhHGV4jDEhqDqEwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhv
c3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIgYwN2UVqAicFj/mSOJiTXHT0KJNIr
+mnprqXYz4aVm84CIQCf7ScHe04p67fNw1QHKkjBUuvmUTfCnpkOFJrpGKaQfA==
-----END CERTIFICATE-----
"""
KEY = b"""\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5+6KPXvPsbSycbGt
qLJKEXe1h4y+bjlcWoIR3NAPaK6hRANCAATTVPFaoD5MeNfRL1XEZD0J687t4H6i
pSyYLaUsSkS9+eR3fu9N53q8WRMsVYHG2dRhdkM5zsfXkp+FSMVMFWQf
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
