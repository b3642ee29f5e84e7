"""What sdbench starts as its worker while a peer is measured: hands the pipes on to the peer's own process, which lives longer.

A compiled peer takes minutes to get ready, so it must outlive the sdbench process of a round. Needs the standard library alone.
"""
import os
import socket

PIPES = [3, 4]  # a worker's requests and events, see include/sdbench/base/executor/protocol.h


def main():
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(os.environ["SDBENCH_PEER_SOCKET"])
        socket.send_fds(peer, [os.environ["SDBENCH_PEER_DEVICE"].encode()], PIPES)
        for pipe in PIPES:
            os.close(pipe)  # so that the peer's end is the end
        peer.recv(1)  # until the peer has done with them, or is gone


if __name__ == "__main__":
    main()
